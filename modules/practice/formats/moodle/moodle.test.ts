import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answerLetters, mapDocs, type Question } from '../../content/question.ts'
import { problemsOf, problemText } from '../../content/question-rules.ts'
import { assetsOf, formulasOf, plainText, withAssets } from '../../../../core/rich-text/rich-doc.ts'
import { PNG } from '../docx/testing.ts'
import { PICTURES, someQuestion } from '../testing.ts'
import { readMoodle } from './read.ts'
import { writeMoodle } from './write.ts'

const assets = new Map(PICTURES.map((address, index) => [address as string, { name: `p${index}.png`, bytes: PNG, type: 'image/png' }]))
const back = (text: string) => (readMoodle(text)?.items ?? []).map((item) => item.question && mapDocs(item.question, (doc) => withAssets(doc, (address) => PICTURES[Number(/p(\d)\.png/.exec(address)?.[1])] ?? address)))

test('what was written is read again as it was', () => {
  fc.assert(fc.property(fc.array(someQuestion(), { minLength: 1, maxLength: 3 }), (questions) => {
    expect(back(writeMoodle(questions, assets))).toEqual(questions)
  }), { numRuns: 30 })
})

const quiz = (...questions: string[]) => `\uFEFF<?xml version="1.0" encoding="UTF-8"?>\r\n<quiz>\r\n${questions.join('\r\n')}\r\n</quiz>`
const text = (name: string, html: string, more = '') => `<${name} format="html"><text><![CDATA[${html}]]></text>${more}</${name}>`
const answer = (fraction: number, words: string, feedback = '') => `<answer fraction="${fraction}"><text>${words}</text>${feedback && text('feedback', feedback)}</answer>`
const read = (...questions: string[]) => readMoodle(quiz(...questions))
const made = (...questions: string[]) => (read(...questions)?.items ?? []).flatMap((item) => item.question ?? [])
const problems = (all: readonly Question[]) => all.flatMap((question) => problemsOf(question).map(problemText))

test('kinds of Moodle are kinds of ours', () => {
  const all = made(
    '<question type="category"><category><text>$course$/top/高中数学/函数/单调性</text></category></question>',
    `<question type="multichoice">${text('questiontext', '<p>函数 \\(x^2\\) 的最小值是&nbsp;（&nbsp;）</p>')}${text('generalfeedback', '<p>配方。</p>')}<defaultgrade>5.0000000</defaultgrade><idnumber>M-1</idnumber><single>true</single>${answer(100, '0', '对')}${answer(0, '1', '再想想')}<tags><tag><text>基础</text></tag></tags></question>`,
    `<question type="multichoice">${text('questiontext', '选择偶数')}<single>false</single>${answer(50, '2')}${answer(50, '4')}${answer(-100, '3')}</question>`,
    `<question type="truefalse">${text('questiontext', '地球是圆的')}${answer(0, 'false')}${answer(100, 'true')}</question>`,
    `<question type="shortanswer">${text('questiontext', '法国的首都是____。')}<usecase>0</usecase>${answer(100, '巴黎')}${answer(80, 'Paris')}</question>`,
    `<question type="numerical">${text('questiontext', '圆周率约为')}<answer fraction="100"><text>3.14</text><tolerance>0.01</tolerance></answer></question>`,
    `<question type="essay">${text('questiontext', '论述。')}${text('graderinfo', '<p>言之成理。</p>')}</question>`,
    `<question type="matching">${text('questiontext', '配对')}<subquestion format="html"><text>猫</text><answer><text>哺乳类</text></answer></subquestion><subquestion format="html"><text>鹰</text><answer><text>鸟类</text></answer></subquestion></question>`,
    `<question type="cloze">${text('questiontext', 'The {1:MULTICHOICE:=cat~dog#no} sat {2:SHORTANSWER:=on~%50%upon} it.')}</question>`,
    `<question type="cloze">${text('questiontext', '水是 {1:SA:=H2O}，冰点 {1:NUMERICAL:=0:0.1} 度')}</question>`,
  )
  expect(problems(all)).toEqual([])
  expect(all.map((one) => one.type)).toEqual([1, 2, 1, 3, 3, 4, 6, 5, 3])
  expect(all[0]).toMatchObject({ score: 5, no: 'M-1', subject: '数学', labels: [['函数', '单调性']], tags: ['基础'] })
  expect(formulasOf(all[0]?.stem ?? null)).toEqual(['x^2'])
  expect(plainText(all[0]?.analysis.solution ?? null)).toBe('配方。\nA：\n对\nB：\n再想想')
  expect(answerLetters(all[1] as Question)).toBe('AB')
  expect(all[2]?.answer).toEqual({ k: 'one', ok: 'o1' })
  expect(all[3]?.answer).toMatchObject({ b: [{ accept: [{}], match: 'ci' }] })
  expect(all[4]?.answer).toMatchObject({ b: [{ match: 'numeric', eps: 0.01 }] })
  expect(all[7]?.children.map((child) => child.score)).toEqual([1, 2])
})

const said = (...questions: string[]) => read(...questions)?.items.map((item) => item.warnings.map((warning) => [warning.level, warning.message]))

test('the best credit is the key in every kind, and credits that have no place are said', () => {
  const given = [
    `<question type="multichoice">${text('questiontext', '耶稣的家乡')}<single>true</single>${answer(25, 'Bethlehem')}${answer(50, 'Galilee')}${answer(100, 'Nazareth')}</question>`,
    `<question type="shortanswer">${text('questiontext', '首都是____')}${answer(80, 'Paris')}${answer(100, '巴黎')}${answer(100, '巴*')}</question>`,
    `<question type="numerical">${text('questiontext', '几')}<answer fraction="50"><text>3</text><tolerance>1</tolerance></answer><answer fraction="100"><text>3.14</text><tolerance>0.01</tolerance></answer></question>`,
    `<question type="cloze">${text('questiontext', '生于 {1:MULTICHOICE:%25%Bethlehem~%50%Galilee~=Nazareth}，长于 {1:SHORTANSWER:Wrong answer#x~%50%half~=Correct answer#y}，约 {2:NUMERICAL:%50%23.8:2#near~=23.8:0.1#right} 岁')}</question>`,
    `<question type="cloze">${text('questiontext', '偶数有 {1:MULTIRESPONSE:=2~=4~3}')}</question>`,
    `<question type="multichoice">${text('questiontext', '选三个')}<single>false</single>${answer(33.33333, '1')}${answer(33.33333, '2')}${answer(33.33333, '3')}${answer(-100, '4')}</question>`,
  ]
  const all = made(...given)
  expect(answerLetters(all[0] as Question)).toBe('C')
  expect(all[1]?.answer).toMatchObject({ b: [{ accept: [{ c: [{ c: ['巴黎'] }] }] }] })
  expect(all[2]?.answer).toMatchObject({ b: [{ accept: [{ c: [{ c: ['3.14'] }] }], eps: 0.01 }] })
  expect(all[3]?.children[0]?.answer).toEqual({ k: 'one', ok: 'o3' })
  expect(all[3]?.children.slice(1).map((child) => child.answer)).toMatchObject([{ b: [{ accept: [{ c: [{ c: ['Correct answer'] }] }] }] }, { b: [{ accept: [{}], eps: 0.1 }] }])
  expect(answerLetters(all[5] as Question)).toBe('ABC')
  expect(said(...given)).toEqual([
    [['problem', '选项 A 得 25%、B 得 50%，单选题没有部分分，没有保留']],
    [['problem', '答案「Paris」得 80%，填空题没有部分分，没有保留'], ['problem', '答案「巴*」用 * 代表任意文字，没有保留']],
    [['problem', '答案「3」得 50%，填空题没有部分分，没有保留']],
    [['problem', '第 1 空：选项 A 得 25%、B 得 50%，单选题没有部分分，没有保留'], ['problem', '第 2 空答案「half」得 50%，填空题没有部分分，没有保留'], ['problem', '第 3 空答案「23.8:2」得 50%，填空题没有部分分，没有保留']],
    [['problem', '第 1 空可以选多项，题干中的空只能记一个答案']],
    [],
  ])
})

test('a description that speaks of questions keeps those behind it together', () => {
  const child = `<question type="truefalse">${text('questiontext', '春天来了')}${answer(100, 'true')}</question>`
  const all = made(`<question type="description">${text('questiontext', '阅读短文，回答问题。春天……')}</question>`, child, child)
  expect(all.map((one) => [one.type, one.children.length])).toEqual([[6, 2]])
})

test('pictures come from the file, and what is wrong is said where it is', () => {
  const data = btoa(String.fromCharCode(...PNG))
  const parsed = read(
    `<question type="essay">${text('questiontext', '<img src="@@PLUGINFILE@@/%E5%9B%BE.png" alt="a">', `<file name="图.png" path="/" encoding="base64">${data}</file>`)}${text('graderinfo', '略')}</question>`,
    `<question type="essay">${text('questiontext', '<p>见图<img src="@@PLUGINFILE@@/none.png"><script>alert(1)</script></p>')}${text('graderinfo', '略')}</question>`,
    '<question type="calculated"><name><text>x</text></name></question>',
  )
  expect(parsed?.items.map((item) => item.warnings.map((warning) => warning.message))).toEqual([[], ['文件中没有图片「none.png」'], ['不支持 Moodle 的「calculated」题']])
  expect(assetsOf(parsed?.items[0]?.question?.stem ?? null)).toEqual(['asset:q1/图.png'])
  expect(parsed?.assets.get('q1/图.png')?.bytes).toEqual(PNG)
  expect(JSON.stringify(parsed?.items)).not.toContain('alert')
})

test('a broken file loses the broken question only', () => {
  const good = `<question type="truefalse">${text('questiontext', '好的')}${answer(100, 'true')}</question>`
  const items = readMoodle(quiz(good, '<question type="essay"><questiontext><text>坏 & 的</text></question>', good))?.items ?? []
  expect(items.map((item) => item.question !== null)).toEqual([true, true, false])
  expect(items[2]?.warnings[0]?.message).toMatch(/^第 4 行/)
  expect(readMoodle('<html></html>')).toBeNull()
  expect(() => readMoodle('<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><quiz><question>&b;</question></quiz>')).not.toThrow()
})

test('deductions, units and templates are said; hints are kept; all right options of a set are needed', () => {
  const question = (type: string, inner: string) => readMoodle(`<quiz><question type="${type}"><questiontext format="html"><text>题</text></questiontext>${inner}</question></quiz>`)?.items[0]
  const answer = (fraction: number, text: string) => `<answer fraction="${fraction}"><text>${text}</text></answer>`
  const problems = (item: ReturnType<typeof question>) => item?.warnings.map((one) => one.message).join('；')
  const single = question('multichoice', `<single>true</single>${answer(100, '甲')}${answer(-25, '乙')}<hint format="html"><text>看图</text></hint>`)
  expect(problems(single)).toContain('B 扣 25%')
  expect(JSON.stringify(single?.question?.analysis.hint)).toContain('看图')
  expect(problems(question('numerical', `${answer(100, '3')}<units><unit><multiplier>1</multiplier><unit_name>m</unit_name></unit></units>`))).toContain('单位 m')
  expect(question('multichoiceset', `${answer(100, '甲')}${answer(100, '乙')}${answer(0, '丙')}`)?.question).toMatchObject({ type: 2, answer: { ok: ['o1', 'o2'], rule: 'all' } })
})
