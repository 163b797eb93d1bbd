from blm.dataset.plan import Plan
from blm.dataset.summary import Summary
def texts(plan: Plan, summary: Summary) -> dict[str, str]:
    return {}
