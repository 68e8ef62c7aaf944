import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mapDocs, type Question } from '../../content/question.ts'
import { rewriteDoc, withAssets, type Block } from '../../../../core/rich-text/rich-doc.ts'
import { compileTex } from '../../../../core/rich-text/tex-compile.ts'
import { ommlToTex } from '../math/omml-to-tex.ts'
import { texToOmml } from '../math/omml-write.ts'
import { PICTURES, someQuestion } from '../testing.ts'
import { parseXml } from '../xml.ts'
import { wordRecord } from './question.ts'
import { readDocx } from './read.server.ts'
import { openWord, PNG } from './testing.ts'
import { WordWriter } from './writer.ts'

const OTHER = Uint8Array.from([...PNG.slice(0, -1), 0x83])
const pictures = new Map([[PICTURES[0], { bytes: PNG, type: 'image/png', width: 40, height: 20 }], [PICTURES[1], { bytes: OTHER, type: 'image/png', width: 10, height: 10 }]])

async function written(questions: readonly Question[]): Promise<Uint8Array> {
  const word = new WordWriter(pictures)
  return word.pack({ sections: [{ children: questions.flatMap((question, index) => wordRecord(word, question, index + 1)) }] })
}

async function back(bytes: Uint8Array): Promise<Question[]> {
  const { items, assets, warnings } = await readDocx(Buffer.from(bytes))
  expect(warnings).toEqual([])
  // A picture is the same when its bytes are.
  const address = (name: string) => (Buffer.compare(Buffer.from(assets.get(name.replace('asset:', ''))?.bytes ?? []), Buffer.from(PNG)) === 0 ? PICTURES[0] : PICTURES[1])
  return items.flatMap((item) => (item.question ? [mapDocs(item.question, (doc) => withAssets(doc, address))] : []))
}

/** The spelling that Word's formulas come back in. */
const spelt = (tex: string) => ommlToTex(parseXml(texToOmml(tex) ?? '<x/>'))
const expected = (question: Question) => mapDocs(question, (doc) => rewriteDoc(doc, {
  inline: (inline) => [typeof inline !== 'string' && inline.t === 'tex' ? { ...inline, tex: spelt(inline.tex) } : inline],
  block: (block): Block[] => [block.t === 'math' ? { ...block, tex: spelt(block.tex) } : block],
}))

const limits = { blocks: ['p', 'table', 'image', 'math', 'list', 'poem', 'dialogue', 'lines'] } as const

test('what was written is read again as it was', async () => {
  await fc.assert(fc.asyncProperty(fc.array(someQuestion(limits), { minLength: 1, maxLength: 2 }), async (questions) => {
    expect(await back(await written(questions))).toEqual(questions.map(expected))
  }), { numRuns: 30 })
})

test('the file is well formed for others, with every formula and picture', async () => {
  await fc.assert(fc.asyncProperty(fc.array(someQuestion(limits), { minLength: 1, maxLength: 2 }), async (questions) => {
    const { all, pictures: shown } = await openWord(await written(questions))
    const source = JSON.stringify(questions)
    expect(all('m:oMath')).toHaveLength(source.match(/"t":"(?:tex|math)"/g)?.length ?? 0)
    expect(shown).toHaveLength(source.match(/"t":"(?:img|image)"/g)?.length ?? 0)
  }), { numRuns: 8 })
})

const piece = fc.constantFrom('x', '2', '+', '=', '\\alpha ', '\\le ', '\\cdot ', '\\in ', '\\mathbb{R}', '\\text{米}', '\\mathrm{mol}', ',', '\\pi ', '\\angle ', '\\quad ')
const formula: fc.Arbitrary<string> = fc.letrec<{ tex: string }>((tie) => ({
  tex: fc.oneof({ depthSize: 'small' }, piece, fc.tuple(tie('tex'), tie('tex')).map(([a, b]) => a + b), fc.tuple(tie('tex'), tie('tex')).map(([a, b]) => `\\frac{${a}}{${b}}`), tie('tex').map((a) => `\\sqrt{${a}}`), fc.tuple(tie('tex'), tie('tex')).map(([a, b]) => `{${a}}_{${b}}`),
    fc.tuple(tie('tex'), tie('tex')).map(([a, b]) => `{${a}}^{${b}}`), tie('tex').map((a) => `\\left(${a}\\right)`), tie('tex').map((a) => `\\overline{${a}}`), fc.tuple(tie('tex'), tie('tex')).map(([a, b]) => `\\begin{cases}${a} \\\\ ${b}\\end{cases}`), fc.tuple(tie('tex'), tie('tex')).map(([a, b]) => `\\sum_{${a}}^{${b}}`), tie('tex').map((a) => `\\sin ${a}`)),
})).tex

test('a formula that has been to Word and back compiles and is drawn the same', () => {
  fc.assert(fc.property(formula, (tex) => {
    const there = texToOmml(tex) ?? ''
    const again = ommlToTex(parseXml(there))
    expect(compileTex(again)).toBeNull()
    expect(texToOmml(again)).toBe(there)
  }), { numRuns: 300, examples: [['\\sin {\\left(x\\right)\\left(x\\right)}^{x}']] })
})
