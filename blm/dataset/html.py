"""HTML that is escaped by construction: what is no `Html` is a text."""

from __future__ import annotations

from html import escape
from typing import Any

_VOID = frozenset({"meta", "link", "br", "hr"})


class Html(str):
    """Markup; put together by `element` only."""

    __slots__ = ()


def element(tag: str, /, *content: str, **attributes: Any) -> Html:
    """An element; texts are escaped, attributes that are None left out.

    >>> element("b", "<", class_="x", title='"')
    '<b class="x" title="&quot;">&lt;</b>'
    """
    told = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if tag in _VOID:
        return Html(f"<{tag}{told}>")
    return Html(f"<{tag}{told}>{join(*content)}</{tag}>")


def join(*content: str) -> Html:
    """Pieces one after the other."""
    return Html("".join(c if isinstance(c, Html) else escape(c) for c in content))
