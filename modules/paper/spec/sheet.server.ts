import type { Writable } from 'node:stream'
import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { cellText } from '../../../core/field/field.ts'
import { isBlank, type SheetRow } from '../../../core/sheet/cell.ts'
import { matchHeader } from '../../../core/sheet/header.ts'
import { writeXlsx } from '../../../core/sheet/write.server.ts'
import { nameLabels } from '../../practice/door.server.ts'
import { COGNITIVE_LEVELS } from '../../practice/module.ts'
import { BANDS, type Band } from '../smart/problem.ts'
import { BAND_NAMES, linesOf, sectionsOf, type SpecLine, type SpecSection } from './spec.ts'

const COLUMNS = [
  { key: 'name', label: '大题', required: true, aliases: ['大题名称'] },
  { key: 'categories', label: '题型', required: true },
  { key: 'score', label: '每题分值', required: true, aliases: ['分值'] },
  { key: 'count', label: '题数', required: true },
  { key: 'labels', label: '知识点', aliases: ['考查知识点'] },
  { key: 'bands', label: '难度' },
  { key: 'cognitive', label: '认知层次', aliases: ['能力层次'] },
] as const
type Column = (typeof COLUMNS)[number]['key']

/** Between the names on the way to a label: names hold commas and slashes of their own. */
const WAY = ' > '
const splitNames = (text: string) => text.split(/[;；\n]/).map((part) => part.trim()).filter(Boolean)

/** Writes a table as a workbook that can be read again. Ends the target. */
export async function writeSpec(db: Queryable, target: Writable, subjectId: number, sections: readonly SpecSection[]): Promise<void> {
  const lines = linesOf(sections)
  const [labels, categories] = await Promise.all([
    nameLabels(db, lines.flatMap(({ label_ids = [] }) => label_ids)),
    db.query<{ id: number; name: string }>(sql`select id, name from practice_category where subject_id = ${subjectId}`),
  ])
  const labelNames = new Map(labels.map(({ id, name, above }) => [id, [...above, name].join(WAY)]))
  const categoryNames = new Map(categories.map(({ id, name }) => [id, name]))
  const names = (ids: readonly number[], known: ReadonlyMap<number, string>) => ids.flatMap((id) => known.get(id) ?? []).join('；')
  async function* rows() {
    for (const { name, category_ids, score, count, label_ids = [], bands = [], cognitive } of lines) {
      yield { name, categories: names(category_ids, categoryNames), score, count, labels: names(label_ids, labelNames), bands: bands.map((band) => BAND_NAMES[band]).join('；'), cognitive }
    }
  }
  await writeXlsx(target, { sheetName: '细目表', rows: rows(), columns: COLUMNS.map(({ key, label }) => ({ key, label, type: key === 'score' || key === 'count' ? 'number' as const : 'text' as const })) })
}

interface Known {
  readonly categories: ReadonlyMap<string, number>
  /** Labels of a name, with the way to each. */
  readonly labels: ReadonlyMap<string, readonly { id: number; way: string }[]>
}

async function readKnown(db: Queryable, subjectId: number): Promise<Known> {
  const [categories, labels] = await Promise.all([
    db.query<{ id: number; name: string }>(sql`select id, name from practice_category where subject_id = ${subjectId} and deleted_at is null`),
    db.query<{ id: number }>(sql`select id from label where kind = 'knowledge' and subject_id = ${subjectId} and status = 1 and deleted_at is null order by id`).then((rows) => nameLabels(db, rows.map(({ id }) => id))),
  ])
  return {
    categories: new Map(categories.map(({ id, name }) => [name, id])),
    labels: Map.groupBy(labels.map(({ id, name, above }) => ({ id, name, way: [...above, name].join(WAY) })), ({ name }) => name),
  }
}

/** A label by its name, or by as much of the way to it as tells it from others. */
function labelOf(text: string, { labels }: Known): number | string {
  const way = text.split(/\s*[>＞]\s*/).join(WAY)
  const found = labels.get(way.split(WAY).at(-1) ?? '') ?? []
  const fitting = found.filter((label) => label.way === way || label.way.endsWith(`${WAY}${way}`))
  if (fitting.length === 1) return fitting[0]?.id ?? 0
  return fitting.length === 0 ? `没有知识点「${text}」` : `知识点「${text}」有 ${fitting.length} 个，请连上级一起写，如「${fitting[0]?.way}」`
}

/** One row of the workbook; a string says what is wrong with it. */
function lineOf(text: (key: Column) => string, known: Known, above: SpecLine | undefined): SpecLine | string {
  const [name, kinds, points] = [text('name') || above?.name, splitNames(text('categories').replaceAll(/[,，、]/g, '；')), text('score')]
  if (!name) return '请填写大题'
  if (name.length > 40) return '大题名称最多 40 个字'
  const category_ids = kinds.length > 0 ? kinds.map((kind) => known.categories.get(kind) ?? kind) : above?.category_ids ?? []
  const unknown = category_ids.find((id) => typeof id === 'string')
  if (unknown) return `该学科没有题型「${unknown}」`
  if (category_ids.length === 0) return '请填写题型'
  const score = points ? Number(points) : above?.score ?? Number.NaN
  if (!(score >= 0.5 && score <= 300 && Number.isInteger(score * 2))) return '每题分值应为 0.5 到 300，以 0.5 分为单位'
  const count = Number(text('count'))
  if (!(Number.isInteger(count) && count >= 1 && count <= 100)) return '题数应为 1 到 100 的整数'
  const labels = splitNames(text('labels')).map((one) => labelOf(one, known))
  const problem = labels.find((label) => typeof label === 'string')
  if (problem) return String(problem)
  const words = splitNames(text('bands').replaceAll(/[,，、]/g, '；'))
  const bands = words.map((word) => BANDS.find((band) => BAND_NAMES[band] === word))
  if (bands.includes(undefined)) return '难度应为 易、中、难'
  const cognitive = text('cognitive')
  if (cognitive && !COGNITIVE_LEVELS.some((level) => level === cognitive)) return `认知层次应为 ${COGNITIVE_LEVELS.join('、')}`
  return {
    name, category_ids: category_ids as number[], score, count,
    ...(labels.length > 0 && { label_ids: labels as number[] }), ...(bands.length > 0 && { bands: bands as Band[] }), ...(cognitive && { cognitive }),
  }
}

/** The table that a workbook holds. Section, kinds and points that are left empty are those of the row above. */
export async function readSpec(db: Queryable, subjectId: number, rows: readonly SheetRow[]): Promise<{ sections: SpecSection[]; problems: { row: number; message: string }[] }> {
  const { headerRowNumber, mapping, missing } = matchHeader(rows, COLUMNS)
  if (headerRowNumber === null || missing.length > 0) return { sections: [], problems: [{ row: headerRowNumber ?? 1, message: `缺少列：${(headerRowNumber === null ? COLUMNS.filter((column) => 'required' in column).map(({ label }) => label) : missing).join('、')}` }] }
  const known = await readKnown(db, subjectId)
  const lines: SpecLine[] = []
  const problems: { row: number; message: string }[] = []
  for (const { rowNumber, cells } of rows) {
    if (rowNumber <= headerRowNumber || cells.every((cell) => isBlank(cell))) continue
    const line = lineOf((key) => cellText(cells[mapping[key] ?? -1] ?? null).trim(), known, lines.at(-1))
    if (typeof line === 'string') problems.push({ row: rowNumber, message: line })
    else lines.push(line)
  }
  const sections = sectionsOf(lines)
  if (lines.length === 0 && problems.length === 0) problems.push({ row: headerRowNumber, message: '表中没有细目' })
  if (sections.length > 20) problems.push({ row: headerRowNumber, message: '大题最多 20 个' })
  for (const { name, count, rows: own = [] } of sections) {
    if (count > 100) problems.push({ row: headerRowNumber, message: `「${name}」的题数超过 100` })
    if (own.length > 50) problems.push({ row: headerRowNumber, message: `「${name}」的细目超过 50 行` })
  }
  return { sections, problems }
}
