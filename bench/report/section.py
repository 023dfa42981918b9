"""A part of the report: a sentence, tables, curves; as HTML and as Markdown."""
import base64
import html
import io

from numbers_of_run import human


def verdict(holds, reason):
    return ("It still holds: " if holds else "It does not hold here: ") + reason + "."


def mostly(share, reason):
    """The verdict on what is to be seen in that share of the cases."""
    if 0.25 < share < 0.75:
        return f"This run does not decide it: {reason}."
    return verdict(share > 0.5, reason)


def growth_range(points):
    """(least, likely, most) of how many times larger the last value is than the first, by the 95 %
    intervals of both; nothing when there are fewer than two points."""
    if len(points) < 2:
        return None
    (_, first, first_error), (_, last, last_error) = points[0], points[-1]
    least = max(last - last_error, 0) / (first + first_error)
    most = (last + last_error) / max(first - first_error, 1e-9)
    return least, last / first, most


def grows_more(points, others, reason):
    """The verdict on whether `points` grow more than `others`."""
    one, other = growth_range(points), growth_range(others)
    if one is None or other is None:
        return ""
    text = reason.format(human(one[1]), human(other[1]))
    if one[0] <= other[2] and other[0] <= one[2]:
        return f"This run does not decide it, as the intervals overlap: {text}."
    return verdict(one[1] > other[1], text)


class Section:
    def __init__(self, title, source):
        self.title = title
        self.source = source
        self.paper = ""
        self.verdict = ""
        self.tables = []
        self.lines = []  # (panel, label, points)
        self.axes = ("", "", False)

    def table(self, head, rows):
        self.tables.append((head, rows))

    def line(self, label, points, panel=0):
        if points:
            self.lines.append((panel, label, points))

    def labels(self, x, y, log=False):
        self.axes = (x, y, log)

    def is_measured(self):
        """Whether there is any number of ours."""
        return bool(self.verdict) or any(
            label.startswith("ours") or not label.startswith("paper") for _, label, _ in self.lines)

    def picture(self, plot):
        """A PNG of the curves, or nothing."""
        if not self.lines or plot is None:
            return None
        panels = sorted({panel for panel, _, _ in self.lines})
        figure, axes = plot.subplots(1, len(panels), figsize=(5.2 * len(panels), 3.4),
                                     squeeze=False)
        for axis, panel in zip(axes[0], panels):
            for where, label, points in self.lines:
                if where != panel:
                    continue
                x, y, error = zip(*points)
                axis.errorbar(x, y, yerr=[e or 0 for e in error], marker="o", capsize=3,
                              label=label)
            axis.set_xlabel(self.axes[0])
            axis.set_ylabel(self.axes[1])
            if self.axes[2]:
                axis.set_yscale("log")
            axis.grid(alpha=0.3)
            axis.legend(fontsize=7)
        figure.tight_layout()
        out = io.BytesIO()
        figure.savefig(out, format="png", dpi=110)
        plot.close(figure)
        return out.getvalue()

    def to_html(self, plot):
        parts = [f"<h2>{html.escape(self.title)}</h2>",
                 f"<p class=source>{html.escape(self.source)}</p>"]
        if self.paper:
            parts.append(f"<p>The paper: {html.escape(self.paper)}</p>")
        if self.verdict:
            parts.append(f"<p><b>{html.escape(self.verdict)}</b></p>")
        picture = self.picture(plot)
        if picture:
            data = base64.b64encode(picture).decode()
            alt = html.escape(self.title)
            parts.append(f'<img alt="{alt}" src="data:image/png;base64,{data}">')
        for head, rows in self.tables:
            if not rows:
                continue
            parts.append("<div class=tables tabindex=0><table><tr>" +
                         "".join(f"<th>{html.escape(h)}" for h in head) + "</tr>")
            for row in rows:
                cells = "".join(f"<td>{html.escape(human(cell))}" for cell in row)
                parts.append(f"<tr>{cells}</tr>")
            parts.append("</table></div>")
        return "\n".join(parts)

    def to_markdown(self, picture=None):
        parts = [f"## {self.title}", "", f"{self.source}.", ""]
        if self.paper:
            parts += [f"The paper: {self.paper}", ""]
        if self.verdict:
            parts += [f"**{self.verdict}**", ""]
        if picture:
            parts += [f"![{self.title}]({picture})", ""]
        for head, rows in self.tables:
            if not rows:
                continue
            parts += ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
            parts += ["| " + " | ".join(human(cell) for cell in row) + " |" for row in rows]
            parts.append("")
        return "\n".join(parts)
