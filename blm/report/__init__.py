"""Reports on experiments: tables, figures and one page with both.

    write_report(Path("results/agreement"))     # -> results/agreement/report/index.html

Importing this package loads no matplotlib; writing a report does.
"""

from __future__ import annotations

from blm.report.write import write_report

__all__ = ["write_report"]
