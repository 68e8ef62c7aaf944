/** LaTeX that stands outside of formulas, where nobody can read it. */

/** Commands of formulas and of the text around them. A path (C:\Users) or a line feed of a program (\n) is none of them. */
const COMMANDS = /\\(?:[dt]?frac|sqrt|overline|underline|uline|vec|overrightarrow|times|div|cdot|pm|leq?|geq?|neq?|approx|equiv|infty|pi|alpha|beta|gamma|theta|lambda|omega|Delta|Omega|angle|triangle|parallel|perp|circ|degree|text(?:bf|it|rm|less|greater|backslash)?|math(?:rm|bf|it|bb|cal)|mbox|left|right|sum|int|lim|sin|cos|tan|log|ln|in|cup|cap|subset|subseteq|begin|end|item|quad|qquad|hspace|vspace|noindent|includegraphics|therefore|because|rightarrow|xrightarrow|to|ce|[lc]?dots|hline|multicolumn|multirow)(?![A-Za-z])/
const ESCAPED = /\\[%&#_{}](?![A-Za-z]:)|\\\\(?=\s|$|[\u4e00-\u9fff&])/

/** The first piece of LaTeX in words, or null. */
export function rawTexIn(words: string): string | null {
  return (COMMANDS.exec(words) ?? ESCAPED.exec(words))?.[0] ?? null
}
