/** Which writer a format has. */
import type { Question } from '../content/question.ts'
import { wordPictures } from '../formats/assets.server.ts'
import { writeAiken } from '../formats/aiken.ts'
import { writeQuestionSheet } from '../formats/excel.server.ts'
import { writeGift } from '../formats/gift.ts'
import type { Asset } from '../formats/item.ts'
import { writeJsonl } from '../formats/jsonl.ts'
import { writeMoodle } from '../formats/moodle/write.ts'
import { writeQti, type QtiVersion } from '../formats/qti/write.server.ts'
import type { ExportFormat } from './formats.ts'

interface Written {
  bytes: Uint8Array
  /** What could not be written, one sentence each. */
  notes: string[]
}

type Writer = (questions: readonly Question[], assets: ReadonlyMap<string, Asset>) => Promise<Written> | Written

const qti = (version: QtiVersion): Writer => async (questions, assets) => ({ bytes: await writeQti(questions, assets, version), notes: [] })

const encoder = new TextEncoder()
const text = (write: (questions: readonly Question[]) => { text: string; notes: string[] }): Writer => (questions) => {
  const written = write(questions)
  return { bytes: encoder.encode(written.text), notes: written.notes }
}

/** Writers by format. They are given the pictures by the addresses that the questions name them with. */
export const WRITERS: Readonly<Record<ExportFormat, Writer>> = {
  docx: async (questions, assets) => {
    // What writes Word is large, and few processes are ever asked for it.
    const [{ WordWriter }, { wordRecord }] = await Promise.all([import('../formats/docx/writer.ts'), import('../formats/docx/question.ts')])
    const word = new WordWriter(wordPictures(assets))
    const children = questions.flatMap((question, index) => wordRecord(word, question, index + 1))
    return { bytes: await word.pack({ title: '试题', sections: [{ children }] }), notes: word.notes }
  },
  xlsx: writeQuestionSheet,
  gift: text(writeGift),
  aiken: text(writeAiken),
  moodle: (questions, assets) => ({ bytes: encoder.encode(writeMoodle(questions, assets)), notes: [] }),
  qti21: qti('2.1'), qti22: qti('2.2'), qti30: qti('3.0'),
  jsonl: (questions, assets) => ({ bytes: encoder.encode(writeJsonl(questions, assets)), notes: [] }),
}
