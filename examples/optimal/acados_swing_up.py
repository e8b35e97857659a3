"""The swing-up by acados, which links the same functions into its own solver."""

import os

import casadi as ca
import numpy as np
from acados_template import AcadosOcp, AcadosOcpSolver

PARAMETERS = [1.0, 0.3, 0.5, 9.81]


def swing_up(intervals=40, horizon=2.0):
    """The least effort, the forces and the states."""
    ocp = AcadosOcp()
    model = ocp.model
    model.name = "swing_up"
    model.x, model.u = ca.MX.sym("x", 4), ca.MX.sym("u")
    model.f_expl_expr = ca.external("cart_pole_state_derivative", "./libcart_pole.so")(model.x, model.u, PARAMETERS)
    ocp.dims.N = intervals
    cost, constraints, options = ocp.cost, ocp.constraints, ocp.solver_options
    cost.cost_type = "LINEAR_LS"
    cost.W, cost.yref = np.array([[2.0]]), np.zeros(1)
    cost.Vx, cost.Vu = np.zeros((1, 4)), np.ones((1, 1))
    constraints.x0 = np.array([0, np.pi, 0, 0])
    constraints.idxbx_e = np.arange(4)
    constraints.lbx_e = constraints.ubx_e = np.array([1.0, 0, 0, 0])
    options.tf = horizon
    options.integrator_type, options.sim_method_num_stages, options.sim_method_num_steps = "ERK", 4, 2
    options.qp_solver, options.nlp_solver_type = "PARTIAL_CONDENSING_HPIPM", "SQP"
    options.globalization = "MERIT_BACKTRACKING"
    options.nlp_solver_max_iter, options.tol = 1000, 1e-8
    options.model_external_shared_lib_dir, options.model_external_shared_lib_name = os.getcwd(), "cart_pole"
    solver = AcadosOcpSolver(ocp, verbose=False)
    for k in range(intervals + 1):
        solver.set(k, "x", np.array([k / intervals, np.pi * (1 - k / intervals), 0, 0]))
    status = solver.solve()
    assert status == 0, status
    forces = np.array([solver.get(k, "u")[0] for k in range(intervals)])
    states = np.array([solver.get(k, "x") for k in range(intervals + 1)])
    return horizon / intervals * forces @ forces, forces, states


if __name__ == "__main__":
    effort, _, states = swing_up()
    print(f"effort {effort:.3f} N^2 s")
