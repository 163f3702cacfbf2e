"""Draws a bar chart as SVG, without any library."""

from xml.sax.saxutils import escape

COLOURS = ["#9aa5b1", "#2f6f4f", "#d9822b"]
WIDTH = 860
LABELS = 240
BAR = 13


def bars(title, series, groups):
    """Groups of horizontal bars: (label, one value for each of the series)."""
    largest = max(value for _, values in groups for value in values)
    scale = (WIDTH - LABELS - 70) / largest
    height = 60 + len(groups) * (BAR * len(series) + 12)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" '
           f'height="{height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
           f'<text x="10" y="20" font-size="15">{escape(title)}</text>']
    for i, name in enumerate(series):
        x = LABELS + i * 150
        out.append(f'<rect x="{x}" y="30" width="12" height="12" '
                   f'fill="{COLOURS[i]}"/>')
        out.append(f'<text x="{x + 18}" y="41">{escape(name)}</text>')
    y = 58
    for label, values in groups:
        middle = y + BAR * len(series) / 2 + 4
        out.append(f'<text x="{LABELS - 8}" y="{middle:.0f}" '
                   f'text-anchor="end">{escape(label)}</text>')
        for i, value in enumerate(values):
            top = y + i * BAR
            out.append(f'<rect x="{LABELS}" y="{top}" '
                       f'width="{max(1, value * scale):.1f}" '
                       f'height="{BAR - 2}" fill="{COLOURS[i]}"/>')
            out.append(f'<text x="{LABELS + value * scale + 5:.1f}" '
                       f'y="{top + BAR - 3}" font-size="10">{value:.1f}</text>')
        y += BAR * len(series) + 12
    out.append("</svg>\n")
    return "\n".join(out)
