import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { PaperContent } from '../calls.ts'
import { writePaperWord } from './word.server.ts'

const run = promisify(execFile)
/** LibreOffice makes the pages, Poppler reads them. */
const installed = await Promise.all([run('soffice', ['--version'], { timeout: 60_000 }), run('pdftotext', ['-v'])]).then(() => true, () => false)

const p = (...c: unknown[]) => ({ t: 'doc', v: 1, c: [{ t: 'p', c }] })
const analysis = { hint: null, solution: null, comment: null, pitfall: null }
const options = (...words: string[]) => words.map((word, index) => ({ id: `o${index}`, doc: p(word) }))
const blank = { type: 1, options: [], option_layout: 1, score: 2, category: null, children: [], analysis }

/** A cloze of sixty places, each with four words: on lines of their own these alone would fill six pages. */
const cloze = { ...blank, type: 5, category: '完形填空', stem: { t: 'doc', v: 1, c: Array.from({ length: 12 }, (_, at) => ({ t: 'p', c: [`Paragraph ${at + 1}. `, 'The rain went on and nobody came to the door. '.repeat(5)] })) }, answer: { k: 'sub' }, children: Array.from({ length: 60 }, () => ({ ...blank, stem: null, options: options('won', 'lost', 'left', 'ran'), answer: { k: 'one', ok: 'o0' } })) }
const choices = Array.from({ length: 20 }, (_, at) => ({ ...blank, stem: p(`QUESTION${at + 1} `, { t: 'tex', tex: '\\frac{1}{2}x' }), options: options('OPTIONA，这一项的文字比较长，放不下两项', 'OPTIONB，这一项的文字比较长，放不下两项', 'OPTIONC，这一项的文字比较长，放不下两项', 'OPTIOND，这一项的文字比较长，放不下两项'), answer: { k: 'one', ok: 'o0' } }))
const cards = [cloze, ...choices].map((content, index) => ({ id: index + 1, type: content.type, video: null, content }))
const items = (ids: number[], score: number) => ids.map((practice_id) => ({ practice_id, version_no: 1, score, sub_scores: [] }))
const paper = {
  id: 1, name: '英语期末考试', duration: 120, practices: cards,
  body: {
    front: { secret: '绝密★启用前', school: '道远中学', logo: null, notices: '答卷前填写姓名。', marks: true },
    sections: [{ key: 'a', name: '完形填空', title: '', instruction: '', part: '第Ⅰ卷', items: items([1], 120) }, { key: 'b', name: '单选题', title: '', instruction: '', items: items(choices.map((_, at) => at + 2), 2) }],
  },
} as unknown as PaperContent

test.skipIf(!installed)('a paper opens and renders in LibreOffice, page by page as a paper is printed; skipped where LibreOffice or Poppler is not installed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'paper-word-'))
  try {
    const file = join(folder, 'paper.docx')
    const none = { find: async () => undefined, open: async () => { throw new Error('no files') } }
    await writeFile(file, await writePaperWord(paper, { edition: 'student', sheet: 'a4', seal: true, blankLines: 0, codes: false, watermark: '' }, none, new URL('https://example.com')))
    await run('soffice', ['--headless', `-env:UserInstallation=file://${folder}/profile`, '--convert-to', 'txt:Text (encoded):UTF8', '--outdir', folder, file], { timeout: 120_000 })
    await run('soffice', ['--headless', `-env:UserInstallation=file://${folder}/profile`, '--convert-to', 'pdf', '--outdir', folder, file], { timeout: 120_000 })
    const text = await readFile(join(folder, 'paper.txt'), 'utf8')
    expect(text).toContain('绝密★启用前')
    expect(text).toMatch(/^1．\tA．won\tB．lost\tC．left\tD．ran$/m)
    const { stdout } = await run('pdftotext', [join(folder, 'paper.pdf'), '-'])
    // Each page ends with a form feed.
    const pages = stdout.split('\f').slice(0, -1).map((page) => page.replace(/\s+/g, ''))
    expect(pages.length).toBeLessThanOrEqual(7)
    for (const [at, page] of pages.entries()) {
      expect(page).toContain(`第${at + 1}页（共${pages.length}页）`)
      // Words that read upwards come letter by letter.
      for (const letter of '密封线') expect(page).toContain(letter)
      expect(page.includes('班')).toBe(at === 0)
      // No question is cut: its number and its last option stand on one page.
      expect(page.match(/QUESTION/g)?.length ?? 0).toBe(page.match(/OPTIOND/g)?.length ?? 0)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}, 300_000)
