"""Runs clingo: every matrix and every candidate. Nothing else imports clingo.

Two ground programs serve everything.  The *matrix* program has a model for each matrix; its
independent parts are enumerated each on its own and never multiplied out (`MatrixSpace`).
The *candidate* program holds a matrix and one more last item, both unconstrained: what is
asked of it is said by assumptions (`blm.candidates`).
"""

from blm.solve.counting import CounterMissing, count_matrices
from blm.solve.distinct import distinct
from blm.solve.ground import Recorder, decide, ground, solve, unsatisfiable_core
from blm.solve.limits import DEFAULT_LIMITS, Deadline, LimitExceeded, Limits
from blm.solve.matrices import solve_matrices
from blm.solve.parts import Part, find_parts
from blm.solve.questions import Witness, read_questions
from blm.solve.space import Factor, MatrixSpace

__all__ = [
    "DEFAULT_LIMITS",
    "CounterMissing",
    "Deadline",
    "Factor",
    "LimitExceeded",
    "Limits",
    "MatrixSpace",
    "Part",
    "Recorder",
    "Witness",
    "count_matrices",
    "decide",
    "distinct",
    "find_parts",
    "ground",
    "read_questions",
    "solve",
    "solve_matrices",
    "unsatisfiable_core",
]
