import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answerLetters, mapDocs, type Question } from '../../content/question.ts'
import { problemsOf, problemText } from '../../content/question-rules.ts'
import { assetsOf, formulasOf, plainText, withAssets } from '../../../../core/rich-text/rich-doc.ts'
import { PNG } from '../docx/testing.ts'
import { PICTURES, someQuestion } from '../testing.ts'
import { parseXml } from '../xml.ts'
import { unzip, zip } from '../zip.server.ts'
import { readQti, readQtiItem } from './read.server.ts'
import { writeQti, type QtiVersion } from './write.server.ts'

const assets = new Map(PICTURES.map((address, index) => [address as string, { name: `p${index}.png`, bytes: PNG, type: 'image/png' }]))

test.each<QtiVersion>(['2.1', '2.2', '3.0'])('QTI %s: what was written is read again as it was, every part well formed', async (version) => {
  await fc.assert(fc.asyncProperty(fc.array(someQuestion(), { minLength: 1, maxLength: 2 }), async (questions) => {
    const bytes = await writeQti(questions, assets, version)
    for (const [name, part] of (await unzip(bytes)).parts) if (name.endsWith('.xml')) parseXml(new TextDecoder().decode(part))
    const { items, warnings } = await readQti(bytes)
    expect(warnings).toEqual([])
    expect(items.map((item) => item.question && mapDocs(item.question, (doc) => withAssets(doc, (address) => PICTURES[Number(/p(\d)\.png/.exec(address)?.[1])] ?? address)))).toEqual(questions)
  }), { numRuns: 30 })
})

const MATH = '<m:math xmlns:m="http://www.w3.org/1998/Math/MathML"><m:mfrac><m:mn>1</m:mn><m:mi>x</m:mi></m:mfrac></m:math>'
const item = (declarations: string, body: string, after = '') => `<?xml version="1.0"?><assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="a" title="t">${declarations}<itemBody>${body}</itemBody>${after}</assessmentItem>`
const declared = (id: string, values: string[], cardinality = 'single', type = 'identifier', more = '') => `<responseDeclaration identifier="${id}" cardinality="${cardinality}" baseType="${type}"><correctResponse>${values.map((value) => `<value>${value}</value>`).join('')}</correctResponse>${more}</responseDeclaration>`
const choices = (id: string, max: number, words: string[], prompt = '') => `<choiceInteraction responseIdentifier="${id}" maxChoices="${max}">${prompt && `<prompt>${prompt}</prompt>`}${words.map((word, index) => `<simpleChoice identifier="c${index}">${word}</simpleChoice>`).join('')}</choiceInteraction>`
const made = (text: string): Question => readQtiItem(text)?.items[0]?.question as Question
const problems = (question: Question) => problemsOf(question).map(problemText)

test('items of others', () => {
  const one = made(item(declared('R', ['c1']), `<p>下列正确的是 ${MATH}</p>${choices('R', 1, ['甲', '乙', '丙'], '请选择')}`, '<modalFeedback outcomeIdentifier="F" identifier="x" showHide="show">因为乙。</modalFeedback>'))
  expect(problems(one)).toEqual([])
  expect([one.type, answerLetters(one), formulasOf(one.stem), plainText(one.analysis.solution)]).toEqual([1, 'B', ['\\frac{1}{x}'], '因为乙。'])
  const many = made(item(declared('R', ['c0', 'c2'], 'multiple'), choices('R', 0, ['甲', '乙', '丙'], '选择两项')))
  expect([many.type, answerLetters(many), plainText(many.stem)]).toEqual([2, 'AC', '选择两项'])
  const blanks = made(item(declared('A', ['14'], 'single', 'float') + declared('B', ['红'], 'single', 'string', '<mapping defaultValue="0"><mapEntry mapKey="红色" mappedValue="1"/><mapEntry mapKey="绿" mappedValue="0"/></mapping>'), '<p>共 <textEntryInteraction responseIdentifier="A"/> 个，是 <textEntryInteraction responseIdentifier="B"/> 的。</p>'))
  expect(problems(blanks)).toEqual([])
  expect(blanks.answer).toMatchObject({ k: 'blanks', b: [{ match: 'numeric' }, { accept: [{}, {}] }] })
  const shares = item('<responseDeclaration identifier="R" cardinality="single" baseType="identifier"><mapping><mapEntry mapKey="c0" mappedValue="0.5"/><mapEntry mapKey="c1" mappedValue="2"/></mapping></responseDeclaration>', choices('R', 1, ['甲', '乙', '丙'], '选'))
  expect(answerLetters(made(shares))).toBe('B')
  expect(readQtiItem(shares)?.items[0]?.warnings.map((one) => one.message)).toEqual(['选项 A 得 25%，单选题没有部分分，没有保留'])
  const partly = item(declared('B', ['红'], 'single', 'string', '<mapping><mapEntry mapKey="红" mappedValue="2"/><mapEntry mapKey="朱" mappedValue="1"/></mapping>'), '<p>是 <textEntryInteraction responseIdentifier="B"/> 的。</p>')
  expect(made(partly).answer).toMatchObject({ b: [{ accept: [{ c: [{ c: ['红'] }] }] }] })
  expect(readQtiItem(partly)?.items[0]?.warnings.map((one) => one.message)).toEqual(['答案「朱」得 50%，填空题没有部分分，没有保留'])
  const lists = made(item(declared('A', ['x']), '<p>The <inlineChoiceInteraction responseIdentifier="A"><inlineChoice identifier="y">dog</inlineChoice><inlineChoice identifier="x">cat</inlineChoice></inlineChoiceInteraction> sat.</p>'))
  expect(problems(lists)).toEqual([])
  expect(lists).toMatchObject({ type: 5, children: [{ answer: { ok: 'o2' } }] })
  const essay = made(item('', '<p>论述。</p><extendedTextInteraction responseIdentifier="R"/><rubricBlock view="scorer"><p>言之成理。</p></rubricBlock>'))
  expect([essay.type, problems(essay)]).toEqual([4, []])
  const processed = made(item('<responseDeclaration identifier="R" cardinality="single" baseType="identifier"/>', choices('R', 1, ['甲', '乙'], '题'), '<responseProcessing><responseCondition><responseIf><match><variable identifier="R"/><baseValue baseType="identifier">c1</baseValue></match></responseIf></responseCondition></responseProcessing>'))
  expect(answerLetters(processed)).toBe('B')
})

test('rules that our questions have no place for are said; tolerances and case are kept', () => {
  const said = (source: string) => readQtiItem(source)?.items[0]?.warnings.filter((one) => one.level === 'problem').map((one) => one.message).join('；')
  const rules = (inner: string) => `<responseProcessing><responseCondition><responseIf>${inner}<setOutcomeValue identifier="SCORE"><baseValue baseType="float">1</baseValue></setOutcomeValue></responseIf></responseCondition></responseProcessing>`
  const entry = '<p>约 <textEntryInteraction responseIdentifier="R"/></p>'
  const near = (mode: string, tolerance: string) => rules(`<equal toleranceMode="${mode}" tolerance="${tolerance}"><variable identifier="R"/><correct identifier="R"/></equal>`)
  expect(made(item(declared('R', ['3.14'], 'single', 'float'), entry, near('absolute', '0.01 0.01'))).answer).toMatchObject({ b: [{ match: 'numeric', eps: 0.01 }] })
  expect(made(item(declared('R', ['200'], 'single', 'float'), entry, near('relative', '5'))).answer).toMatchObject({ b: [{ eps: 10 }] })
  expect(said(item(declared('R', ['3'], 'single', 'float'), entry, near('absolute', '0.1 0.5')))).toContain('误差')
  expect(made(item(declared('R', ['Paris'], 'single', 'string', '<mapping><mapEntry mapKey="Paris" mappedValue="1" caseSensitive="true"/></mapping>'), entry)).answer).toMatchObject({ b: [{ match: 'exact' }] })
  const compared = '<match><variable identifier="R"/><baseValue baseType="identifier">c0</baseValue></match>'
  expect(said(item(declared('R', []), choices('R', 1, ['甲', '乙']), rules(`<not>${compared}</not>`)))).toContain('not')
  expect(said(item(declared('R', ['c0'], 'single', 'identifier', '<mapping><mapEntry mapKey="c0" mappedValue="2"/><mapEntry mapKey="c1" mappedValue="1"/></mapping>'), choices('R', 1, ['甲', '乙'])))).toContain('部分分')
  expect(said(item('<templateDeclaration identifier="X" cardinality="single" baseType="integer"/>' + declared('R', ['c0']), `<p>算 <printedVariable identifier="X"/></p>${choices('R', 1, ['甲', '乙'])}`))).toContain('变量')
  expect(said(item(declared('R', ['c0']) + declared('S', ['5'], 'single', 'integer'), `<p>填 <textEntryInteraction responseIdentifier="S"/></p>${choices('R', 1, ['甲', '乙'])}`))).toContain('另有 1 个空')
})

test('a package: order of the manifest, a shared passage, a broken item, an unknown kind, a picture', async () => {
  const stimulus = '<assessmentStimulus xmlns="x" identifier="s" title="s"><stimulusBody><p>春天来了，小河解冻了。</p></stimulusBody></assessmentStimulus>'
  const child = item(declared('R', ['c0']), choices('R', 1, ['对', '错'], '小河解冻了')).replace('<itemBody>', '<assessmentStimulusRef identifier="s" href="../s.xml"/><itemBody>')
  const files: [string, string | Uint8Array][] = [
    ['imsmanifest.xml', `<manifest><resources>${['b', 'a', 'c', 'd', 'e', 'gone'].map((name) => `<resource identifier="${name}" type="imsqti_item_xmlv2p1" href="items/${name}.xml"/>`).join('')}</resources></manifest>`],
    ['items/a.xml', child], ['items/b.xml', child], ['s.xml', stimulus], ['items/c.xml', '<assessmentItem><itemBody>'], ['items/d.xml', item('', '<orderInteraction responseIdentifier="R"/>')],
    ['items/e.xml', item(declared('R', ['c0']), `<p><img src="../img/1.png" alt="x"/></p>${choices('R', 1, ['1', '2'])}`)], ['img/1.png', PNG],
  ]
  const { items, assets: found } = await readQti(await zip(files))
  expect(items.map((one) => [one.place, one.question?.type ?? null, one.question?.children.length ?? 0])).toEqual([['items/b.xml', 6, 2], ['items/c.xml', null, 0], ['items/d.xml', null, 0], ['items/e.xml', 1, 0]])
  expect(items[1]?.warnings[0]?.message).toMatch(/^第 1 行/)
  expect(items[2]?.warnings[0]?.message).toBe('不支持「orderInteraction」题')
  expect(assetsOf(items[3]?.question?.stem ?? null)).toEqual(['asset:img/1.png'])
  expect(found.size).toBe(1)
})

test('other files are refused with a sentence', async () => {
  await expect(readQti(Buffer.from('no zip'))).rejects.toThrow('不是完整的压缩文件')
  expect((await readQti(await zip([['a.txt', 'x']]))).items[0]).toMatchObject({ question: null })
  expect(readQtiItem('<quiz/>')).toBeNull()
})
