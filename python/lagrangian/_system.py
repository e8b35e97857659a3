"""A class for each declaration: its instances are systems with numbers for their parameters."""

import copyreg
import inspect
import os
import warnings
import weakref

import numpy

from . import _lagrangian
from ._errors import DeclarationWarning, Diagnostic, MechanicsError
from ._results import Fields, motion_class, python_name


class Variable(str):
    """A name of a declaration: a string with `shape`, `default`, `unit` and `doc`."""

    __slots__ = ("shape", "default", "unit", "doc")

    def __new__(cls, name, shape=(), default=None, unit=None, doc=""):
        variable = super().__new__(cls, name)
        variable.shape = tuple(shape)
        variable.default = default
        variable.unit = unit
        variable.doc = doc
        return variable

    def __getnewargs__(self):
        return str(self), self.shape, self.default, self.unit, self.doc

    # The arguments have everything.
    def __getstate__(self):
        return None


class Equations:
    """The energies, the equations of motion and the constraints, written out. Jupyter shows them as formulas."""

    def __init__(self, text, latex, mathml):
        self.text, self.latex, self.mathml = text, latex, mathml

    def __str__(self):
        return self.text.rstrip()

    __repr__ = __str__

    def _repr_latex_(self):
        return f"$$\n\\begin{{aligned}}\n{self.latex.strip()}\n\\end{{aligned}}\n$$"


class _Lazy:
    """An attribute of a class and of its instances, made at the first use."""

    def __init__(self, make, doc):
        self._make = make
        self.__doc__ = doc

    def __set_name__(self, owner, name):
        self._name = name

    def __get__(self, instance, owner):
        model = owner._model
        if model is None:
            return self
        cache = owner._cache
        if self._name not in cache:
            cache[self._name] = self._make(model)
        return cache[self._name]


def _variables(kind, doc):
    def make(model):
        found = []
        for name, shape, default, unit, about in model.variables(kind):
            if default is not None:
                default = numpy.array(default).reshape(shape) if shape else default[0]
            found.append(Variable(name, shape, default, unit, about))
        return tuple(found)

    return _Lazy(make, doc)


class _Declared(type):
    """The class of classes of declarations."""

    def __repr__(cls):
        return f"<system {cls.__name__}>" if cls._model is not None else super().__repr__()

    def __dir__(cls):
        return [name for name in super().__dir__() if not name.startswith("_") or name.startswith("__")]


class System(metaclass=_Declared):
    """A mechanical system with numbers for its parameters. `read` makes a class of each declaration, derived from this one.

    The methods of the declaration are methods of the instances. They take arrays of one state, such as `(n,)`, or of a
    batch of states, `(batch, n)`.
    """

    # Of a class: the model, what pickles need, attributes that were used, and methods and parameters by name.
    _model = _source = _cache = _functions = _numbers = _places = _has_time = None
    # Of an instance: its numbers, and inputs that are 0.
    _system = _flat = _rest = None

    coordinates = _variables("coordinates", "The names of the coordinates in the order of q, by element.")
    velocities = _variables("velocities", "The names of the velocities in the order of v, by element.")
    states = _variables("states", "The names of the states of first order in the order of z, by element.")
    parameters = _variables("parameters", "The names of the parameters, with their shapes, defaults, units and words.")
    inputs = _variables("inputs", "The names of the inputs, with their shapes, units and words.")
    constraints = _variables("constraints", "The names of the rows of constraints: holonomic ones first.")
    contacts = _variables("contacts", "The names of the contacts.")
    methods = _Lazy(lambda model: tuple(method[0] for method in model.methods()), "The names of the methods.")
    equations = _Lazy(lambda model: Equations(*model.equations()), "The equations of motion, written out.")
    declaration = _Lazy(lambda model: model.declaration(), "The text of the declaration.")

    def __init__(self, /, *unnamed, **values):
        cls = type(self)
        if cls._model is None:
            raise TypeError("a system is made by a class that `lagrangian.read` returns")
        names = ", ".join(cls.parameters) or "none"
        if unnamed:
            raise TypeError(f"{cls.__name__}: values without names; the parameters are: {names}")
        given = [parameter.default for parameter in cls.parameters]
        unknown = []
        for name, value in values.items():
            at = cls._places.get(name)
            if at is None:
                unknown.append(name)
            else:
                given[at] = value
        missing = [name for name, value in zip(cls.parameters, given) if value is None]
        if unknown or missing:
            words = [f"unknown parameters: {', '.join(unknown)}"] if unknown else []
            words += [f"parameters without a value: {', '.join(missing)}"] if missing else []
            raise TypeError(f"{cls.__name__}: {'; '.join(words)}; the parameters are: {names}")
        self._system = _lagrangian.System(cls._model, given)
        self._flat = self._system.parameters()
        self._flat.flags.writeable = False
        self._rest = numpy.zeros(sum(_size(input.shape) for input in cls.inputs))

    def __getitem__(self, name):
        """The value of a parameter."""
        cls = type(self)
        at = cls._places.get(name)
        if at is None:
            raise KeyError(name)
        start = sum(_size(parameter.shape) for parameter in cls.parameters[:at])
        shape = cls.parameters[at].shape
        if not shape:
            return float(self._flat[start])
        return self._flat[start : start + _size(shape)].reshape(shape)

    def replace(self, /, **values):
        """The same system with other values of some parameters."""
        cls = type(self)
        return cls(**{**{name: self[name] for name in cls.parameters}, **values})

    def method(self, name):
        """The method of this name, also where an attribute of this class hides it."""
        number = type(self)._numbers.get(name)
        if number is None:
            # The message has the most similar name.
            raise AttributeError(type(self)._model.unknown(name))
        return type(self)._functions[number].__get__(self)

    def rhs(self, t, y, u=None):
        """The rates of y = [q; v], and z behind them in systems with states, for `scipy.integrate.solve_ivp`.

        The inputs are 0 without `u`, which is an array or a function u(t, q, v).
        """
        cls = type(self)
        if callable(u) and cls.inputs:
            y = numpy.atleast_1d(y)
            m, n, z = len(cls.coordinates), len(cls.velocities), len(cls.states)
            # An array of another length is an error below.
            is_whole = y.shape[-1] == m + n + z
            parts = (y[..., :m], y[..., m : m + n], y[..., m + n :])
            u = _adapted(u, z > 0)(t, *parts[: 3 if z else 2]) if is_whole else None
        arguments = (t, y) if cls._has_time else (y,)
        if cls.inputs:
            arguments += (self._rest if u is None else u,)
        elif u is not None:
            raise TypeError(f"{cls.__name__} has no inputs for `u`")
        return self._system.call(cls._numbers["state_derivative"], arguments)

    def simulate(self, q, v, until=10.0, step=1e-3, u=None, *, z=None, start=0.0):
        """A motion by the classical Runge-Kutta method of order 4, as a named tuple (t, q, v), and z with states.

        Each array has a row for the start and for the end of each step; the last step ends at `until`. Constraints hold
        at all of them. The inputs are constant during a step: 0 without `u`, an array `(k,)`, a row of an array
        `(steps, k)`, or what a function u(t, q, v) gives at the start of the step; in systems with states a function may
        also take z as a fourth argument. The states start at `z`, or 0.
        Contacts and dry friction that sticks do not act: `contact_step` has their laws.
        """
        cls = type(self)
        if callable(u):
            u = _adapted(u, bool(cls.states))
        elif z is not None and not cls.states:
            raise TypeError(f"{cls.__name__} has no states for `z`")
        try:
            arrays = self._system.simulate(q, v, z, (start, until, step), u)
        except MechanicsError as error:
            if error.results is not None:
                error.results = _motion(cls, error.results)
            raise
        return _motion(cls, arrays)

    @classmethod
    def c99(cls, methods):
        """Methods as one self-contained text in C99."""
        return cls._text("c99", methods)

    @classmethod
    def cuda(cls, methods):
        """Methods as one self-contained text in CUDA."""
        return cls._text("cuda", methods)

    @classmethod
    def wgsl(cls, methods):
        """Methods as one self-contained text in the shading language of WebGPU."""
        return cls._text("wgsl", methods)

    @classmethod
    def casadi(cls, methods):
        """Methods as a text in C99 with the interface of CasADi."""
        return cls._text("casadi", methods)

    @classmethod
    def rust(cls):
        """The items that the macro `lagrangian!` generates."""
        return cls._model.rust()

    @classmethod
    def _text(cls, language, methods):
        return cls._model.text(language, [methods] if isinstance(methods, str) else list(methods))

    def __repr__(self):
        cls = type(self)
        values = ", ".join(f"{name}={_shown(self[name])}" for name in cls.parameters)
        return f"{cls.__name__}({values})"

    def __eq__(self, other):
        if not isinstance(other, System):
            return NotImplemented
        return type(self)._source == type(other)._source and numpy.array_equal(self._flat, other._flat)

    __hash__ = None

    def __reduce__(self):
        cls = type(self)
        return _rebuilt, (cls._source, {str(name): self[name] for name in cls.parameters})


def _size(shape):
    return int(numpy.prod(shape, dtype=int))


def _shown(value):
    return repr(value.tolist() if isinstance(value, numpy.ndarray) else value)


def _motion(cls, arrays):
    return motion_class(bool(cls.states))._make(arrays if cls.states else arrays[:3])


def _adapted(function, has_states):
    """A function u(t, q, v) for a system with states, which may take z too."""
    if not has_states:
        return function
    try:
        inspect.signature(function).bind(0.0, None, None, None)
    except TypeError:
        return lambda t, q, v, z: function(t, q, v)
    except ValueError:
        # A function without a signature, which is written in C.
        pass
    return function


def _function(number, method):
    """A method of the declaration as a function."""
    name, doc, arguments, fields, is_plain = method
    if is_plain:

        def function(self, *arguments, **named):
            return self._system.call(number, arguments, named)

    else:
        result = Fields(name, [field for field, _ in fields])

        def function(self, *arguments, **named):
            try:
                return result(self._system.call(number, arguments, named))
            except MechanicsError as error:
                if error.results is not None:
                    error.results = result(error.results)
                raise

    function.__name__ = python_name(name)
    function.__doc__ = doc or None
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    names = ["self", *map(python_name, arguments)]
    function.__signature__ = inspect.Signature([inspect.Parameter(name, kind) for name in names])
    return function


def _parameter(name, doc):
    return property(lambda self: self[name], doc=doc or f"The parameter `{name}`.")


def _class_of(model, source):
    """The class of a declaration."""
    name, methods = python_name(model.name()), model.methods()
    functions = [_function(number, method) for number, method in enumerate(methods)]
    numbers = {method[0]: number for number, method in enumerate(methods)}
    parameters = [parameter[0] for parameter in model.variables("parameters")]
    places = {python_name(parameter): at for at, parameter in enumerate(parameters)}
    places.update({parameter: at for at, parameter in enumerate(parameters)})
    body = {}
    for parameter, _, _, unit, doc in model.variables("parameters"):
        body[python_name(parameter)] = _parameter(parameter, doc)
    for number, method in enumerate(methods):
        body[python_name(method[0])] = functions[number]
    # The attributes of all systems hide the others.
    body = {name: value for name, value in body.items() if not hasattr(System, name)}
    for attribute, value in body.items():
        if inspect.isfunction(value):
            value.__qualname__ = f"{name}.{attribute}"
    keyword_only = inspect.Parameter.KEYWORD_ONLY
    signature = []
    for parameter, shape, default, _, _ in model.variables("parameters"):
        default = inspect.Parameter.empty if default is None else default if shape else default[0]
        signature.append(inspect.Parameter(python_name(parameter), keyword_only, default=default))
    body.update(
        __doc__=model.doc() or f"The system `{model.name()}`.",
        __module__="lagrangian",
        __signature__=inspect.Signature(signature),
        _model=model,
        _source=source,
        _cache={},
        _functions=functions,
        _numbers=numbers,
        _places=places,
        _has_time=next(method for method in methods if method[0] == "state_derivative")[2][0] == "t",
    )
    _classes[source] = cls = _Declared(name, (System,), body)
    return cls


def read(text_or_path, *, folder=None, name=None):
    """The class of a declaration: its instances are systems with numbers for their parameters.

    The declaration is a text, the inside of `lagrangian! { .. }`, or the path of a file with such a text: a `pathlib.Path`,
    or a string without `{`. A file that ends in `.rs` is a program in Rust with a block `lagrangian! { .. }`; of several
    blocks `name` chooses one. Files that the declaration names are in the folder of its file, or of the package of the
    program; for a text in `folder`, or the current folder.

    A wrong declaration is a `DeclarationError`, and its warnings are of the class `DeclarationWarning`.
    """
    if isinstance(text_or_path, str) and "{" in text_or_path:
        file = None
        models = [_lagrangian.Model(text_or_path, None if folder is None else os.path.abspath(folder))]
    elif isinstance(text_or_path, (str, os.PathLike)):
        if folder is not None:
            raise TypeError("`folder` is for a text: a file has a folder")
        file = os.fspath(text_or_path)
        models, folder = _lagrangian.read_file(file)
    else:
        found = type(text_or_path).__name__
        raise TypeError(f"expected the text of a declaration, or its path, found an object of the class {found}")
    model = _named(models, name)
    for told in model.warnings(file):
        warnings.warn(str(Diagnostic._of(told)), DeclarationWarning, stacklevel=2)
    folder = None if folder is None else os.path.abspath(folder)
    return _class_of(model, (model.declaration(), folder))


def _named(models, name):
    """The only model, or that of a name."""
    names = [model.name() for model in models]
    if name is None and len(models) == 1:
        return models[0]
    if name in names:
        return models[names.index(name)]
    words = "`name` is one of" if name is None else f"there is no system `{name}`; there are"
    raise ValueError(f"{words}: {', '.join(names)}")


#: The classes in use by text, folder and file, for objects that were pickled.
_classes = weakref.WeakValueDictionary()


def _rebuilt_class(source):
    return _classes.get(source) or _class_of(_lagrangian.Model(*source), source)


def _rebuilt(source, values):
    return _rebuilt_class(source)(**values)


copyreg.pickle(_Declared, lambda cls: cls.__qualname__ if cls._model is None else (_rebuilt_class, (cls._source,)))
