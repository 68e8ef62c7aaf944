/**
 * node scripts/run.mjs scripts/measure-suggestions.ts <folder>: how often the suggested labels hold the right one, on a copy
 * of GAOKAO-Bench (its `Data` folder). It has no labels of its own; three things stand for them, none of which the
 * suggestion sees: the kind of question that its files part the questions by, the piece of the demo's outline that the
 * explanation names (exactly one, in full), and what the explanation says that the question examines (本题考查…). Every
 * fifth question is held out, the others are the bank that suggests.
 */
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import * as z from 'zod/mini'
import { NeighbourIndex, suggestFrom, termsOf, ASKED } from '../modules/practice/suggest/neighbours.ts'
import { OUTLINE } from '../modules/practice/demo/outline.ts'
import { readQuestions } from '../modules/practice/import/read-file.server.ts'
import { NO_ANALYSIS, type QuestionContent } from '../modules/practice/content/question.ts'

const file = z.object({ example: z.array(z.object({ analysis: z.string() })) })
const EXAMINES = /(?:本题|该题|此题)(?:主要|重点|着重|综合)?(?:是)?考[查察](?:的是|了|的知识点是)?[:：]?\s*([^，。；,;.\n（(：:]{2,24})/
/** Words that say nothing about what is examined. */
const FRAME = /^(?:学生|考生)?(?:对)?|的?(?:相关|有关|基本)?(?:知识|内容|能力|应用|问题|理解|掌握|运用|考查|综合应用)*$/g

const pairs = (text: string) => new Set(Array.from({ length: Math.max(1, text.length - 1) }, (_, at) => text.slice(at, at + 2)))
function isLike(one: string, other: string): boolean {
  const [a, b] = [pairs(one), pairs(other)]
  return one === other || (2 * [...a].filter((pair) => b.has(pair)).length) / (a.size + b.size) >= 0.6
}

interface Labelled {
  content: QuestionContent
  subject: string
  label: string
}

/** The explanation names the label: neither side may see it. */
const unexplained = (content: QuestionContent): QuestionContent => ({ ...content, analysis: NO_ANALYSIS, children: content.children.map(unexplained) })

/** Subjects of the senior stage that have an outline, by their ids. */
const SUBJECTS: Readonly<Record<string, number>> = { 数学: 1, 英语: 2, 物理: 3, 化学: 4, 生物: 5, 历史: 6, 地理: 7, 政治: 8, 语文: 10 }
/** Topics of an outline, each with what names it. */
const topicsOf = (subject: string) => (OUTLINE[SUBJECTS[subject] ?? 0] ?? '').split('\n').filter(Boolean).map((line) => {
  const [topic = '', rest = ''] = line.split(':')
  return { topic, names: [topic, ...rest.split(',')].filter((name) => name.length >= 2) }
})

/** What may stand for the label of a record; undefined when nothing does. */
const LABELS: Readonly<Record<string, (record: { name: string; subject: string; analysis: string }) => string | undefined>> = {
  'kind of the file': ({ name }) => name.replace(/^[\d-]+_|\.json$/g, ''),
  'topic of the outline that the explanation names': ({ subject, analysis }) => {
    const found = topicsOf(subject).filter(({ names }) => names.some((one) => analysis.includes(one)))
    return found.length === 1 ? found[0]?.topic : undefined
  },
  'what the explanation says is examined': ({ analysis }) => {
    const label = EXAMINES.exec(analysis)?.[1]?.replace(FRAME, '').trim()
    return label && label.length >= 2 ? label : undefined
  },
}

const folder = process.argv[2]
if (!folder) throw new Error('usage: node scripts/run.mjs scripts/measure-suggestions.ts <folder>')
const records: { name: string; subject: string; analysis: string; content: QuestionContent }[] = []
for (const path of globSync(join(folder, '**', '*.json')).sort()) {
  const name = basename(path)
  const { example } = file.parse(JSON.parse(readFileSync(path, 'utf8')))
  const { parsed } = await readQuestions(path, name, null)
  for (const [index, { analysis }] of example.entries()) {
    const question = parsed.items[index]?.question
    if (question) records.push({ name, subject: question.subject ?? '', analysis, content: unexplained(question) })
  }
}

const share = (part: number, of: number) => `${((100 * part) / Math.max(1, of)).toFixed(1)} %`
for (const [what, labelOf] of Object.entries(LABELS)) {
  const labelled = records.flatMap((record): Labelled[] => {
    const label = labelOf(record)
    return label === undefined ? [] : [{ content: record.content, subject: record.subject, label }]
  })
  let [all, first, three, possible] = [0, 0, 0, 0]
  for (const [subject, questions] of Map.groupBy(labelled, (one) => one.subject)) {
    const names = [...new Set(questions.map(({ label }) => label))]
    const known = questions.filter((_, at) => at % 5 !== 0)
    const index = new NeighbourIndex()
    for (const [id, { content, label }] of known.entries()) index.add({ id, labels: [{ id: names.indexOf(label), main: true }], difficulty: null }, termsOf(content, new Map()))
    index.finish()
    for (const { content, label } of questions.filter((_, at) => at % 5 === 0)) {
      const said = suggestFrom(index.nearest(termsOf(content, new Map()), ASKED)).labels.map(({ id }) => names[id] ?? '')
      all++
      if (said.some((one) => isLike(one, label))) three++
      if (isLike(said[0] ?? '', label)) first++
      if (known.some((one) => isLike(one.label, label))) possible++
    }
    if (process.argv.includes('--subjects')) console.log(`  ${subject}: ${questions.length} questions, ${names.length} labels`)
  }
  console.log(`${what}: ${labelled.length} questions, ${all} held out; first ${share(first, all)}, one of three ${share(three, all)}; where the bank has the label (${possible}): ${share(first, possible)}, ${share(three, possible)}`)
  if (all === 0) process.exitCode = 1
}
