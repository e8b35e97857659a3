"""The errors of declarations and of calls. `src/errors.rs` raises them."""

from typing import NamedTuple, Optional


class Diagnostic(NamedTuple):
    """A message about a declaration. Lines and columns count from 1; the end is the place after the last character."""

    severity: str
    code: str
    message: str
    help: Optional[str]
    line: int
    column: int
    end_line: int
    end_column: int
    #: The message with the line of the declaration, and marks below the place.
    text: str

    @classmethod
    def _of(cls, told):
        severity, code, message, help, place, text = told
        return cls(severity, code, message, help, *place, text)

    def __str__(self):
        return self.text


class DeclarationError(ValueError):
    """A declaration with mistakes. The text shows each at its place; `diagnostics` has them one by one."""

    def __init__(self, messages):
        self.diagnostics = tuple(Diagnostic._of(told) for told in messages)
        super().__init__("\n\n".join(str(diagnostic) for diagnostic in self.diagnostics))

    def __reduce__(self):
        messages = [(*found[:4], found[4:8], found[8]) for found in self.diagnostics]
        return type(self), (messages,)


class DeclarationWarning(UserWarning):
    """A warning about a declaration, with its place."""


class MechanicsError(ArithmeticError):
    """A state at which a method has no value.

    `index` is the number of the first such state of a batch, or the number of the step of a simulation, and `time` the
    time of that step. `reason` is `SingularMassMatrix`, `DependentConstraints`, `NotConverged`, `NoContactSolution` or
    `NotFinite`; `argument` then names the first argument or parameter that is not finite, and `constraint` the first constraint or contact that
    adds nothing to those above it. `row` is its number, where contacts follow the constraints. `results` are those of the batch, NaN at states
    without a value, or the motion before the failure.
    """

    def __init__(
        self, message, index=0, reason=None, argument=None, row=None, constraint=None, time=None, results=None
    ):
        super().__init__(message)
        self.index = index
        self.reason = reason
        self.argument = argument
        self.row = row
        self.constraint = constraint
        self.time = time
        self.results = results

    def __reduce__(self):
        cause = (self.index, self.reason, self.argument, self.row, self.constraint)
        return type(self), (*self.args, *cause, self.time, self.results)
