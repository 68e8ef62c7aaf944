import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileTex, readTex, texErrorText, texToHtml, texToMathml } from './tex-compile.ts'
import { isPlainPunctuation, normaliseTex, splitMath } from './tex.ts'

const marked = (text: string) => splitMath(text).pieces.map((piece) => ('tex' in piece ? `${piece.display ? '«' : '‹'}${piece.tex}${piece.display ? '»' : '›'}` : piece.text)).join('')

test.each([
  ['设 $x>0$，则 \\(y\\) 与 $$z$$ 相等', '设 ‹x>0›，则 ‹y› 与 ‹z› 相等'],
  ['解：\n$$x=1$$\n故\n\\[y=2\\]', '解：\n«x=1»\n故\n«y=2»'],
  ['方程组\\begin{cases}x=1\\\\y=2\\end{cases}的解', '方程组«\\begin{cases}x=1\\\\y=2\\end{cases}»的解'],
  ['It costs $5 and he paid $10.', 'It costs $5 and he paid $10.'],
  ['\\$5 与 $5$', '$5 与 ‹5›'],
  ['费用 $3 \\text{元}$', '费用 ‹3 \\text{元}›'],
  ['$a$ and $b$ and $c$', '‹a› and ‹b› and ‹c›'],
  ['a\\\\b', 'a\\\\b'],
])('formulas are found: %s', (text, expected) => {
  expect(marked(text)).toBe(expected)
})

test('a dollar that is missing spoils its own line only', () => {
  const { pieces, unmatched } = splitMath('已知 x=1$，求下列各式的值，并说明理由。\nA. $x^2$，成立；\nB. $x^3$，不成立。')
  expect(unmatched).toEqual([6])
  expect(pieces.flatMap((piece) => ('tex' in piece ? [piece.tex] : []))).toEqual(['x^2', 'x^3'])
})

test.each([
  ['$x$', 'x'],
  ['ｘ＋１＞０', 'x+1>0'],
  ['50%', '50\\%'],
  ['50\\%', '50\\%'],
  ['x为整数', 'x\\text{为整数}'],
  ['\\text{当 ｘ 为 50% 时}', '\\text{当 ｘ 为 50\\% 时}'],
  ['\\begin{align*}a&=b\\end{align*}', '\\begin{aligned}a&=b\\end{aligned}'],
  ['a &lt; b', 'a < b'],
  ['37℃', '37^{\\circ}\\mathrm{C}'],
  ['\u0008ar{z}\times\frac12', '\\bar{z}\\times\\frac12'],
  ['\\ce{H2O}', '\\ce{H2O}'],
  ['\\\\frac{1}{2}', '\\frac{1}{2}'],
  ['\\begin{cases}x\\\\y\\end{cases}', '\\begin{cases}x\\\\y\\end{cases}'],
])('one spelling: %s', (source, expected) => {
  expect(normaliseTex(source)).toBe(expected)
  expect(normaliseTex(expected)).toBe(expected)
})

test.each(['\\overset{\\frown}{AB}', '\\complement_U M', '\\ce{2H2 + O2 ->[点燃] 2H2O}', '\\ce{SO4^2-}', '\\wideparen{AB}', 'S_{\\parallelogram ABCD}', '25\\celsius', '\\begin{cases}x>0\\\\y<0\\end{cases}', '\\textcircled{1}', 'v=3\\unit{m/s}', '\\xlongequal{\\Delta}', 'x^{2}y_{1}^{\\prime}'])('schools write %s', (tex) => {
  expect(compileTex(tex)).toBeNull()
  expect(texToHtml(tex, false)).toContain('katex')
  expect(texToMathml(tex)).toMatch(/^<math/)
})

test.each([
  ['\\frac{1}{2', '公式没有写完，可能缺少「}」', 10],
  ['x+\\foo', '没有「\\foo」这个命令', 2],
  ['x^', '「^」后面缺少内容', 1],
  ['x^2^3', '连续写了两个上标', 3],
  ['a & b', '多余的「&」', 2],
  ['\\begin{foo}x\\end{foo}', '没有「foo」这种环境', 6],
  ['a}b', '多余的「}」', 1],
  ['\\href{javascript:alert(1)}{x}', '不支持「\\href」', 0],
  ['\\includegraphics{http://a/b.png}', '不支持「\\includegraphics」', 0],
])('what is wrong and where: %s', (tex, message, at) => {
  expect(compileTex(tex)).toMatchObject({ message, at })
  expect(texErrorText(compileTex(tex)!)).toMatch(/（第 \d+ 个字符「.*」处）$/)
  expect(texToMathml(tex)).toBeNull()
  expect(() => texToHtml(tex, false)).toThrow(message)
})

test('a macro that grows for ever is stopped', () => {
  expect(compileTex('\\def\\a{\\a\\a}\\a')?.message).toBe('公式展开过多')
})

test('one thing wrong is mended and said', () => {
  expect(readTex('\\left(x+1)')).toEqual({ tex: '(x+1)', mended: true, error: null })
  expect(readTex('\\sqrt{x')).toEqual({ tex: '\\sqrt{x}', mended: true, error: null })
  expect(readTex('x+1')).toEqual({ tex: 'x+1', mended: false, error: null })
  expect(readTex('\\foo{x}').error?.message).toBe('没有「\\foo」这个命令')
})

test('no text crashes the search for formulas, and nothing is lost', () => {
  fc.assert(fc.property(fc.array(fc.constantFrom('$', '$$', '\\(', '\\)', '\\[', '\\]', '\\', 'x', '文', '\n', ' ', '5', '\\begin{cases}', '\\end{cases}', '{', '}')), (parts) => {
    const text = parts.join('')
    const letters = (some: string) => some.replace(/[^x文5]/g, '')
    expect(letters(splitMath(text).pieces.map((piece) => ('tex' in piece ? piece.tex : piece.text)).join(''))).toBe(letters(text))
    expect(() => readTex(text)).not.toThrow()
  }), { numRuns: 300 })
})

test('punctuation that strayed between dollars is text', () => {
  expect([')', '（ ）', 'x', '1:2'].map(isPlainPunctuation)).toEqual([true, true, false, false])
})
