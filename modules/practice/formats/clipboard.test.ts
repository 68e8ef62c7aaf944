import { expect, test } from 'vitest'
import { formulasOf, inlinesOf, plainText, type RichDoc } from '../../../core/rich-text/rich-doc.ts'
import { cleanClipboard } from './clipboard.ts'
import { htmlFlow } from './html.ts'
import { ommlToTex } from './math/omml-to-tex.ts'
import { texToOmml } from './math/omml-write.ts'
import { flowDoc } from './text/flow.ts'
import { parseXml } from './xml.ts'

const warnings: { message: string }[] = []
const pasted = (html: string): RichDoc | null => flowDoc(htmlFlow(cleanClipboard(html), { warnings: warnings as never, assets: new Map(), files: new Map() }))

/** A formula as Word's HTML has it: text of runs in elements of HTML, other elements of HTML anywhere between. */
const inHtml = (omml: string) => omml
  .replace(/ xmlns:\w+="[^"]*"/g, '').replace(/<m:t(?: [^>]*)?>([^<]*)<\/m:t>/g, '<span lang=EN-US\nstyle=\'font-family:"Cambria Math",serif\'>$1</span>')
  .replace(/<w:rPr>.*?<\/w:rPr>|<w:rPr\/>/g, '').replace(/<m:r>/g, '<i style=\'mso-bidi-font-style:normal\'><m:r>').replace(/<\/m:r>/g, '</m:r></i>').replace(/<m:(\w+Pr)>/g, '<m:$1><span style=\'font-size:10.5pt\'>').replace(/<\/m:(\w+Pr)>/g, '</span></m:$1>')
const fromWord = (formula: string) => `<html xmlns:m="http://schemas.microsoft.com/office/2004/12/omml"><body lang=ZH-CN><!--StartFragment--><p class=MsoNormal><span>设</span><!--[if gte msEquation 12]>${formula}<![endif]--><![if !msEquation]><span><img width=92 src="file:///C:/clip_image002.png"></span><![endif]><span>，求值</span><o:p></o:p></p><!--EndFragment--></body></html>`

test.each([
  'f\\left(x\\right)=\\frac{x^{2}+1}{2x}', '\\sqrt[3]{x}', '\\sum_{i=1}^{n}a_{i}', '\\int_{0}^{1}f\\left(x\\right)dx', '\\begin{cases}x=1 \\\\ y=2\\end{cases}', '\\lim_{x\\rightarrow 0}\\sin x', '\\left|x\\right|+\\left[a,b\\right]', '\\overrightarrow{AB}',
  '\\begin{pmatrix}1 & 2 \\\\ 3 & 4\\end{pmatrix}', '\\overline{z}', 'A\\cap B', '\\mathrm{H}_{2}\\mathrm{O}', '\\text{速度}', '\\angle A=90^{\\circ}', 'a<b', '\\vec{a}\\perp \\vec{b}', '\\log_{2}x', '\\boxed{x}', '\\binom{n}{k}', '\\xrightarrow{\\text{加热}}',
])('%s of Word arrives as a formula where it stood', (tex) => {
  const omml = texToOmml(tex) ?? ''
  const doc = pasted(fromWord(inHtml(omml)))
  expect(formulasOf(doc)).toEqual([ommlToTex(parseXml(omml.replace('<m:oMath', '<m:oMath xmlns:m="m" xmlns:w="w"')))])
  expect(inlinesOf(doc, 'img')).toEqual([])
  expect(plainText(doc).replace(/\s/g, '')).toMatch(/^设.*，求值$/)
})

test('a fraction with a power in it stays one', () => {
  expect(formulasOf(pasted(fromWord('<m:oMath><m:r>f</m:r><m:d><m:dPr><m:ctrlPr></m:ctrlPr></m:dPr><m:e><m:r>x</m:r></m:e></m:d><m:r>=</m:r><m:f><m:num><m:sSup><m:e><m:r>x</m:r></m:e><m:sup><m:r>2</m:r></m:sup></m:sSup><m:r>+1</m:r></m:num><m:den><m:r>2x</m:r></m:den></m:f></m:oMath>')))).toEqual(['f\\left(x\\right)=\\frac{x^{2}+1}{2x}'])
})

test('a formula on a line of its own, signs that are written as empty elements', () => {
  const doc = pasted(fromWord('<m:oMathPara><m:oMath><m:nary><m:naryPr><m:chr m:val="∑"/><m:limLoc m:val="undOvr"/><m:subHide m:val="1"/></m:naryPr><m:sub></m:sub><m:sup><m:r>n</m:r></m:sup><m:e><m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr><m:e><m:r>a</m:r></m:e></m:d></m:e></m:nary></m:oMath></m:oMathPara>'))
  expect(doc?.c.map((block) => block.t)).toEqual(['p', 'math', 'p'])
  expect(formulasOf(doc)).toEqual(['\\sum^{n}\\left[a\\right]'])
})
