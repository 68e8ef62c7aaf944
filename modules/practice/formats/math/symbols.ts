/** Characters of formulas and the commands that print them. */

export const COMMANDS: Readonly<Record<string, string>> = {
  'α': 'alpha', 'β': 'beta', 'γ': 'gamma', 'δ': 'delta', 'ε': 'varepsilon', 'ϵ': 'epsilon', 'ζ': 'zeta', 'η': 'eta', 'θ': 'theta', 'ϑ': 'vartheta', 'ι': 'iota', 'κ': 'kappa', 'λ': 'lambda', 'μ': 'mu', 'ν': 'nu', 'ξ': 'xi', 'π': 'pi', 'ρ': 'rho', 'ς': 'varsigma', 'σ': 'sigma', 'τ': 'tau', 'υ': 'upsilon', 'φ': 'varphi', 'ϕ': 'phi', 'χ': 'chi', 'ψ': 'psi', 'ω': 'omega',
  'Γ': 'Gamma', 'Δ': 'Delta', 'Θ': 'Theta', 'Λ': 'Lambda', 'Ξ': 'Xi', 'Π': 'Pi', 'Σ': 'Sigma', 'Φ': 'Phi', 'Ψ': 'Psi', 'Ω': 'Omega',
  '×': 'times', '÷': 'div', '±': 'pm', '∓': 'mp', '⋅': 'cdot', '·': 'cdot', '∗': 'ast', '∘': 'circ', '∙': 'bullet', '⊕': 'oplus', '⊗': 'otimes', '⊙': 'odot', '⊖': 'ominus',
  '≤': 'le', '≥': 'ge', '⩽': 'leqslant', '⩾': 'geqslant', '≠': 'ne', '≈': 'approx', '≡': 'equiv', '≅': 'cong', '≌': 'cong', '∼': 'sim', '∽': 'backsim', '≃': 'simeq', '∝': 'propto', '≪': 'll', '≫': 'gg', '≺': 'prec', '≻': 'succ',
  '∈': 'in', '∉': 'notin', '∋': 'ni', '⊂': 'subset', '⊃': 'supset', '⊆': 'subseteq', '⊇': 'supseteq', '⊄': 'not\\subset', '⊊': 'subsetneq', '⫋': 'subsetneqq', '⊋': 'supsetneq', '∪': 'cup', '∩': 'cap', '∅': 'varnothing', '∁': 'complement', '∖': 'setminus',
  '∧': 'wedge', '∨': 'vee', '¬': 'neg', '∀': 'forall', '∃': 'exists', '∄': 'nexists', '∴': 'therefore', '∵': 'because', '⊥': 'perp', '∥': 'parallel', '∦': 'nparallel', '∠': 'angle', '∡': 'measuredangle', '△': 'triangle', '▵': 'triangle', '▱': 'parallelogram', '□': 'square', '◯': 'bigcirc', '⌢': 'frown', '⌒': 'frown', '⌣': 'smile',
  '→': 'rightarrow', '←': 'leftarrow', '↔': 'leftrightarrow', '⇒': 'Rightarrow', '⇐': 'Leftarrow', '⇔': 'Leftrightarrow', '↑': 'uparrow', '↓': 'downarrow', '↦': 'mapsto', '⇌': 'rightleftharpoons', '⇋': 'leftrightharpoons', '⇀': 'rightharpoonup', '↗': 'nearrow', '↘': 'searrow', '⟶': 'longrightarrow', '⟵': 'longleftarrow', '⟹': 'Longrightarrow', '⟺': 'Longleftrightarrow',
  '∞': 'infty', '∂': 'partial', '∇': 'nabla', 'ℏ': 'hbar', 'ℓ': 'ell', 'ℜ': 'Re', 'ℑ': 'Im', '…': 'ldots', '⋯': 'cdots', '⋮': 'vdots', '⋱': 'ddots', '′': 'prime', '∣': 'mid', '‖': 'Vert', '⟨': 'langle', '⟩': 'rangle', '〈': 'langle', '〉': 'rangle', '⌊': 'lfloor', '⌋': 'rfloor', '⌈': 'lceil', '⌉': 'rceil',
  '∑': 'sum', '∏': 'prod', '∐': 'coprod', '∫': 'int', '∬': 'iint', '∭': 'iiint', '∮': 'oint', '⋃': 'bigcup', '⋂': 'bigcap', '⋁': 'bigvee', '⋀': 'bigwedge', '√': 'surd', '%': '%', '#': '#', '&': '&', '$': '$', '_': '_', '{': '{', '}': '}', '\\': 'backslash', 'ℝ': 'mathbb{R}', 'ℤ': 'mathbb{Z}', 'ℕ': 'mathbb{N}', 'ℚ': 'mathbb{Q}', 'ℂ': 'mathbb{C}', '°': 'degree', '‰': 'permil', '†': 'dagger', '★': 'bigstar', '⋆': 'star', '⪰': 'succeq', '⪯': 'preceq', '⊿': 'triangle', '≜': 'triangleq', '≐': 'doteq', '⊢': 'vdash', '⊨': 'models',
}

/** Functions that are set upright. */
export const FUNCTIONS = new Set(['sin', 'cos', 'tan', 'cot', 'sec', 'csc', 'arcsin', 'arccos', 'arctan', 'sinh', 'cosh', 'tanh', 'coth', 'log', 'ln', 'lg', 'exp', 'lim', 'max', 'min', 'sup', 'inf', 'det', 'dim', 'gcd', 'ker', 'arg', 'deg', 'hom', 'Pr', 'limsup', 'liminf'])

/** Marks above a letter: the character and its command, for one letter and for several. */
export const ACCENTS: readonly (readonly [chars: string, one: string, many: string])[] = [
  ['⃗→⟶⇀⃑', 'vec', 'overrightarrow'], ['←⟵⃖', 'overleftarrow', 'overleftarrow'], ['↔⃡', 'overleftrightarrow', 'overleftrightarrow'], ['‾¯̅ˉ―─_̄', 'bar', 'overline'], ['^̂ˆ', 'hat', 'widehat'], ['~̃˜∼', 'tilde', 'widetilde'], ['˙̇.', 'dot', 'dot'], ['¨̈', 'ddot', 'ddot'], ['ˇ̌', 'check', 'check'], ['˘̆', 'breve', 'breve'], ['´́', 'acute', 'acute'], ['`̀', 'grave', 'grave'],
]

/** Command of a mark above. */
export function accentOf(char: string, base: string): string | null {
  const found = ACCENTS.find(([chars]) => chars.includes(char) && char !== '')
  return found ? (/^(?:[A-Za-z0-9]|\\[a-z]+)$/i.test(base.trim()) ? found[1] : found[2]) : null
}

const isLetter = (char: string | undefined) => char !== undefined && /[A-Za-z]/.test(char)
const HAN = /[\u2E80-\u9FFF\uF900-\uFAFF\u3000-\u303F\uFF01-\uFF5E]/

/** Text of a symbol, an operator, a number as TeX. */
export function symbolsTex(text: string): string {
  let tex = ''
  let words = ''
  const flush = () => {
    if (words) tex += `\\text{${words}}`
    words = ''
  }
  for (const char of text) {
    if (HAN.test(char)) {
      words += char
      continue
    }
    flush()
    const command = COMMANDS[char]
    if (char === '−' || char === '–') tex += '-'
    else if (/[\u2061-\u2064\u200B-\u200D\u2060]/.test(char)) continue
    else if (/\s/.test(char)) tex += ' '
    else if (command === undefined) tex += tex !== '' && isLetter(char) && /\\[A-Za-z]+$/.test(tex) ? ` ${char}` : char
    else tex += `\\${command}`
  }
  flush()
  return tex
}

/** Two pieces of TeX beside each other: a command does not run into the letter behind it. */
export function join(...pieces: string[]): string {
  let tex = ''
  for (const piece of pieces) tex += /\\[A-Za-z]+$/.test(tex) && isLetter(piece[0]) ? ` ${piece}` : piece
  return tex
}

/** Braces unless it is one character or one command. */
export const braced = (tex: string) => `{${tex}}`

/** Whether one pair of braces stands around all of it. */
function isGroup(tex: string): boolean {
  let depth = 0
  for (let at = 0; at < tex.length; at++) {
    if (tex[at] === '\\') at++
    else if (tex[at] === '{') depth++
    else if (tex[at] === '}') depth--
    if (depth === 0) return tex.startsWith('{') && at === tex.length - 1
  }
  return false
}

/** Whether it is one pair of growing brackets and what stands between them. */
function isPair(tex: string): boolean {
  if (!/^\\left(?![A-Za-z])/.test(tex)) return false
  let depth = 0
  for (const { 0: word, index } of tex.matchAll(/\\(?:left|right)(?![A-Za-z])/g)) {
    depth += word === '\\left' ? 1 : -1
    if (depth === 0) return /^(?:\\[A-Za-z]+|\\?.)$/.test(tex.slice(index + word.length))
  }
  return false
}

/** Script of a base: x_{1}, {\frac{1}{2}}^{2}. */
export function scripted(base: string, sub: string | null, sup: string | null): string {
  const isSimple = /^(?:[^\\{}^_]|\\[A-Za-z]+|\\[{}|]|\\(?:mathrm|mathbf|mathbb|mathcal|text|operatorname|overline|vec|bar|hat)\{[^{}]*\})?$/.test(base) || isGroup(base) || isPair(base)
  const inner = base === '' ? '{}' : isSimple ? base : braced(base)
  const primes = sup !== null && /^(?:\\prime)+$/.test(sup)
  return inner + (sub === null || sub === '' ? '' : `_{${sub}}`) + (sup === null || sup === '' ? '' : primes ? "'".repeat(sup.length / 6) : `^{${sup}}`)
}

const DELIMITERS: Readonly<Record<string, string>> = { '(': '(', ')': ')', '[': '[', ']': ']', '{': '\\{', '}': '\\}', '|': '|', '∣': '|', '‖': '\\|', '∥': '\\|', '⟨': '\\langle', '⟩': '\\rangle', '〈': '\\langle', '〉': '\\rangle', '⌊': '\\lfloor', '⌋': '\\rfloor', '⌈': '\\lceil', '⌉': '\\rceil', '': '.', '（': '(', '）': ')', '/': '/' }

/** Brackets that grow with what is in them. */
export function fenced(open: string, body: string, close: string): string {
  return join(`\\left${DELIMITERS[open] ?? '.'}`, /^[A-Za-z]/.test(body) && /[a-z]$/.test(DELIMITERS[open] ?? '') ? ` ${body}` : body, `\\right${DELIMITERS[close] ?? '.'}`)
}

/** Letters in a style. */
export const STYLES: Readonly<Record<string, string>> = { normal: 'mathrm', bold: 'mathbf', 'bold-italic': 'boldsymbol', 'double-struck': 'mathbb', script: 'mathcal', fraktur: 'mathfrak', 'sans-serif': 'mathsf', monospace: 'mathtt', 'bold-script': 'mathcal', 'bold-fraktur': 'mathfrak' }
