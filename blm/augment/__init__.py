"""Fill-mask augmentation: words that a masked language model would say, for a person to judge.

Merlo et al. (CLiC-it 2023), section 3: mask a noun, take the best fillers of a model, keep those
whose sentence is about as likely as the original's.  `propose` writes them to a review table;
`accept` makes a grammar with a seed for each that a person has accepted.

Nothing here loads torch before `propose` is called with the name of a model.
"""

from __future__ import annotations

from blm.augment.accept import accept
from blm.augment.options import Accepted, AugmentError, Options, Proposed
from blm.augment.propose import propose

__all__ = ["Accepted", "AugmentError", "Options", "Proposed", "accept", "propose"]
