/** Which files are read, and what is said of those that are not. */
import { writeFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { plainText } from '../../../core/rich-text/rich-doc.ts'
import { fixtureFolder } from '../../../core/sheet/fixture.server.ts'
import { readQuestions } from './read-file.server.ts'

const folder = fixtureFolder()
afterAll(() => folder.remove())
const path = (name: string, content: string | Uint8Array) => {
  const file = folder.write(name, new Uint8Array())
  writeFileSync(file, content)
  return file
}
const read = (name: string, content: string | Uint8Array) => readQuestions(path(name, content), name, null)

const PAPER = '1. 最大的是（ ）\nA. 一 B. 二 C. 三 D. 四\n答案：D\n'
const wide = (text: string, big: boolean) => Buffer.from([...text].flatMap((char) => {
  const code = char.charCodeAt(0)
  return big ? [code >> 8, code & 255] : [code & 255, code >> 8]
}))

test.each([['with its mark', Buffer.concat([Buffer.from([0xfe, 0xff]), wide(PAPER, true)])], ['without it', wide(PAPER, true)], ['of the other order', wide(PAPER, false)]])('a text of two bytes a character, %s', async (_, bytes) => {
  const { parsed } = await read('a.txt', bytes)
  expect(parsed.items.map(({ question }) => question?.options.map(({ doc }) => plainText(doc)))).toEqual([['一', '二', '三', '四']])
})

test.each([
  ['a.doc', 'x', /旧版 Word 文件.*另存为 \.docx/], ['a.xls', 'x', /旧版 Excel 文件.*另存为 \.xlsx/], ['a.pdf', 'x', /PDF/], ['a.xyz', 'x', /请上传 \.docx/], ['a.txt', '', /文件是空的/], ['a.docx', '', /文件是空的/],
  ['a.xml', '<?xml version="1.0"?><questestinterop><item/></questestinterop>', /QTI 1\.2.*QTI 2\.1/],
])('%s with %j says what to do', async (name, content, message) => {
  await expect(read(name, content)).rejects.toThrow(message)
})

test('numbered questions with English answer lines are a paper; a number that stood before the points is left out', async () => {
  const { parsed } = await read('b.txt', '1. A pen is $111, a book $182. In all?\nA. $293\nB. $292\nAnswer: A\n2. （3分）12. Which?\nA. x\nB. y\nAnswer: B\n')
  expect(parsed.items.map(({ question, warnings }) => [plainText(question?.stem ?? null), question?.answer, warnings.length])).toEqual([['A pen is $111, a book $182. In all?', { k: 'one', ok: 'o1' }, 0], ['Which?', { k: 'one', ok: 'o2' }, 0]])
})
