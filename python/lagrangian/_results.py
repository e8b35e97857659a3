"""Named tuples of methods with several results, which can be pickled."""

import keyword
import unicodedata
from collections import namedtuple
from functools import lru_cache


def python_name(name):
    """A name as Python reads it: words of Python have an underscore behind them."""
    name = unicodedata.normalize("NFKC", name)
    return name + "_" if keyword.iskeyword(name) else name


#: The names of results that are a tuple in Rust.
TUPLES = {
    "project": ("q", "v"),
    "hamilton_equations": ("dq", "dp"),
    "inverse_dynamics_derivatives": ("dq", "dv"),
    "impact_derivatives": ("dq", "dv"),
    "equation_derivatives": ("equations", "constraints"),
    "constraint_bounds": ("residual", "velocity"),
}


class Fields:
    """The fields of a result: names, and for parts such as `hand.origin` the fields of `hand`."""

    def __init__(self, method, paths):
        """`method` is the name of what has this result, and `paths` are names with dots, in the order of the values. A
        tuple in Rust has numbers in place of names.
        """
        own = TUPLES.get(method, ("first", "second", "third", "fourth"))
        parts = {}
        for path in paths:
            head, dot, tail = path.partition(".")
            if head.isdigit() and int(head) < len(own):
                head = own[int(head)]
            parts.setdefault(head, []).append(tail)
        self._parts = []
        for name, inner in parts.items():
            self._parts.append((len(inner), Fields(name, inner) if inner != [""] else None))
        self._make = _tuple_class(camel_case(method), tuple(parts))._make
        self._is_flat = all(fields is None for _, fields in self._parts)

    def __call__(self, values):
        if self._is_flat:
            return self._make(values)
        parts, at = [], 0
        for count, fields in self._parts:
            own = values[at : at + count]
            parts.append(own[0] if fields is None else fields(own))
            at += count
        return self._make(parts)


def camel_case(name):
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


@lru_cache(maxsize=None)
def _tuple_class(title, names):
    fields = []
    for name in names:
        # Fields of named tuples do not begin with an underscore.
        field = python_name(name).lstrip("_") or "field"
        field = python_name(field)
        while field in fields:
            field += "_"
        fields.append(field)
    base = namedtuple(python_name(title) if title.isidentifier() else "Result", fields, module=__name__)

    def reduce(self):
        return _rebuild, (title, names, tuple(self))

    return type(base.__name__, (base,), {"__slots__": (), "__reduce__": reduce, "__module__": __name__})


def _rebuild(title, names, values):
    return _tuple_class(title, names)._make(values)


@lru_cache(maxsize=None)
def motion_class(has_states):
    return _tuple_class("Motion", ("t", "q", "v", "z") if has_states else ("t", "q", "v"))
