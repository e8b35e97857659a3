"""The planar pendulum with n links by other tools: absolute angles, masses, lengths and g given at run time."""

import casadi
import sympy
from sympy.physics import mechanics


def by_casadi(n):
    """The arguments, M and f as expressions of CasADi's SX."""
    q, v = casadi.SX.sym("q", n), casadi.SX.sym("v", n)
    m, l, g = casadi.SX.sym("m", n), casadi.SX.sym("l", n), casadi.SX.sym("g")
    y = kinetic = potential = 0
    rate = casadi.SX.zeros(2)
    for i in range(n):
        y -= l[i] * casadi.cos(q[i])
        # Link by link, which is cheaper than the derivative of the place of each.
        rate += l[i] * v[i] * casadi.vertcat(casadi.cos(q[i]), casadi.sin(q[i]))
        kinetic += m[i] * casadi.dot(rate, rate) / 2
        potential += m[i] * g * y
    momenta = casadi.gradient(kinetic, v)
    mass = casadi.triu2symm(casadi.triu(casadi.jacobian(momenta, v)))
    force = casadi.gradient(kinetic - potential, q) - casadi.jtimes(momenta, q, v)
    return [q, v, m, l, g], mass, force


def by_sympy(n):
    """The arguments, and the entries of the lower triangle of M and of f as expressions without time."""
    q = mechanics.dynamicsymbols(f"q:{n}")
    v = [mechanics.dynamicsymbols(f"q{i}", 1) for i in range(n)]
    m, l, g = sympy.symbols(f"m:{n}"), sympy.symbols(f"l:{n}"), sympy.Symbol("g")
    x = y = lagrangian = 0
    t = mechanics.dynamicsymbols._t
    for i in range(n):
        x += l[i] * sympy.sin(q[i])
        y -= l[i] * sympy.cos(q[i])
        lagrangian += m[i] * (x.diff(t) ** 2 + y.diff(t) ** 2) / 2 - m[i] * g * y
    method = mechanics.LagrangesMethod(lagrangian, q)
    method.form_lagranges_equations()
    names = dict(zip(v, sympy.symbols(f"v:{n}"))) | dict(zip(q, sympy.symbols(f"q:{n}")))
    mass, force = method.mass_matrix, method.forcing
    entries = [mass[i, k] for i in range(n) for k in range(i + 1)] + list(force)
    return [*names.values(), *m, *l, g], [entry.subs(names, simultaneous=True) for entry in entries]
