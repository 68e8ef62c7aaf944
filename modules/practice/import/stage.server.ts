/** Puts what a reader found on the staging tables, with the subject, the stored pictures and what the bank has like it. */
import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../../core/database/database.server.ts'
import type { FileStore } from '../../../core/file/store.server.ts'
import { fileUrl } from '../../../core/file/url.ts'
import { AppError } from '../../../core/error/error.ts'
import { docsOf, mapDocs, questionSchema, type Question } from '../content/question.ts'
import { problemsOf, problemText } from '../content/question-rules.ts'
import { assetsOf, rewriteDoc } from '../../../core/rich-text/rich-doc.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import type { Suggestion } from '../suggest/calls.ts'
import { suggest } from '../suggest/suggest.server.ts'
import { measureAlike } from '../edit/alike.server.ts'
import { hint, problem, type Asset, type ItemSection, type ParsedItem, type Warning } from '../formats/item.ts'
import type { ItemState } from './calls.ts'

export interface Staged {
  ord: number
  place: string
  question: Question | null
  warnings: Warning[]
  state: ItemState
  subject_id: number | null
  like_id: number | null
  like_kind: string | null
  suggested: Suggestion | null
  section?: ItemSection | null
}

/** Subjects of a stage by their names. */
export async function subjectsOf(db: Queryable, level: number): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query<{ id: number; name: string }>(sql`select id, name from subject where level = ${level} and deleted_at is null order by id`)
  return new Map(rows.map(({ id, name }) => [name, id]))
}

/** Pictures and sounds that questions may hold. */
const ACCEPTED = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/svg+xml', 'audio/mpeg']
const ASSET = /^asset:(.+)$/

/** Stores the pictures that questions use, each once. Those that are refused are left out, with the reason. */
export async function storeAssets(files: FileStore, staffId: number, assets: ReadonlyMap<string, Asset>, used: ReadonlySet<string>): Promise<{ addresses: Map<string, string>; refused: Map<string, string> }> {
  const addresses = new Map<string, string>()
  const refused = new Map<string, string>()
  for (const name of used) {
    const asset = assets.get(name)
    if (!asset) continue
    try {
      const file = await files.put(Readable.from([Buffer.from(asset.bytes)]), { name: name.split('/').at(-1) || 'image', staffId, accept: ACCEPTED, maxBytes: 20 * 1024 * 1024 })
      addresses.set(name, fileUrl(file.id))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      refused.set(name, error.message)
    }
  }
  return { addresses, refused }
}

/** Names of the assets of a question. */
export const assetNames = (question: Question) => docsOf(question).flatMap(({ doc }) => assetsOf(doc)).flatMap((address) => ASSET.exec(address)?.[1] ?? [])

/** The question with stored pictures; those that could not be stored are taken out. */
export function withStored(question: Question, addresses: ReadonlyMap<string, string>): Question {
  const address = (asset: string) => addresses.get(ASSET.exec(asset)?.[1] ?? '')
  return mapDocs(question, (doc) => rewriteDoc(doc, {
    inline: (inline) => {
      if (typeof inline === 'string' || inline.t !== 'img') return [inline]
      const stored = address(inline.asset)
      return stored ? [{ ...inline, asset: stored }] : inline.alt ? [`[${inline.alt}]`] : []
    },
    block: (block) => {
      if (block.t !== 'image' && block.t !== 'audio') return [block]
      const stored = address(block.asset)
      return stored ? [{ ...block, asset: stored }] : []
    },
  }))
}

/** Candidates of the bank that are measured. */
const CANDIDATES = 6

/** Makes one found item ready to be shown and written. */
export async function stageItem(db: Database, staff: Staff, item: ParsedItem, ord: number, subjects: ReadonlyMap<string, number>, fixed: number | null): Promise<Staged> {
  const { place, warnings } = item
  const section = item.section ?? null
  const lostItem: Staged = { ord, place, section, question: null, warnings, state: 'problem', subject_id: null, like_id: null, like_kind: null, suggested: null }
  if (!item.question) return lostItem
  const read = questionSchema.safeParse(item.question)
  if (!read.success) return { ...lostItem, warnings: [...warnings, problem(`内容无法保存：${read.error.issues[0]?.message ?? '格式不正确'}`)] }
  const judged = await judge(db, read.data, warnings, subjects, fixed)
  return { ord, place, section, ...judged, suggested: await suggestFor(db, staff, read.data, judged.subject_id) }
}

/** What the bank says of a question that has no labels or no difficulty of its own. */
export async function suggestFor(db: Database, staff: Staff, question: Question, subjectId: number | null): Promise<Suggestion | null> {
  if (subjectId === null || (question.labels.length > 0 && question.difficulty !== null)) return null
  const found = await suggest(db, staff, question, subjectId)
  return found.labels.length > 0 ? found : null
}

/** Whether a warning is about the subject: it goes when the subject is set. */
export const isOfSubject = ({ message }: Warning) => message === NO_SUBJECT || /^本学段没有「.*」这个学科$/.test(message)
const NO_SUBJECT = '没有学科，请统一设置学科'

/** What is to be said about a question, beside what its reader said: its own rules, its subject, and what the bank has like it. */
export async function judge(db: Queryable, question: Question, said: readonly Warning[], subjects: ReadonlyMap<string, number>, fixed: number | null): Promise<Omit<Staged, 'ord' | 'place' | 'suggested'>> {
  const warnings = [...said]
  const named = question.subject === null ? undefined : subjects.get(question.subject)
  const subjectId = named ?? fixed
  if (subjectId === null) warnings.push(problem(question.subject === null ? NO_SUBJECT : `本学段没有「${question.subject}」这个学科`))
  const known = new Set(warnings.map((warning) => warning.message))
  warnings.push(...problemsOf(question).map(problemText).filter((text) => !known.has(text)).map(problem))
  const [like] = subjectId === null ? [] : await measureAlike(db, question, subjectId, undefined, CANDIDATES)
  if (!known.has('没有解析') && question.analysis.solution === null && question.analysis.hint === null && !question.children.some((child) => child.analysis.solution)) warnings.push(hint('没有解析'))
  const state: ItemState = warnings.some((warning) => warning.level === 'problem') ? 'problem' : warnings.length > 0 ? 'hint' : 'good'
  return { question, warnings, state, subject_id: subjectId, like_id: like?.id ?? null, like_kind: like?.kind ?? null }
}

/** Writes staged items. */
export async function insertStaged(tx: Queryable, importId: number, items: readonly Staged[]): Promise<void> {
  if (items.length === 0) return
  await tx.query(sql`insert into practice_import_item (import_id, ord, place, question, warnings, state, subject_id, like_id, like_kind, suggested, section)
    select ${importId}, ord, place, case when jsonb_typeof(question) = 'null' then null else question end, warnings, state, subject_id, like_id, like_kind, case when jsonb_typeof(suggested) = 'null' then null else suggested end, case when jsonb_typeof(section) = 'null' then null else section end
    from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as r (ord int, place text, question jsonb, warnings jsonb, state text, subject_id bigint, like_id bigint, like_kind text, suggested jsonb, section jsonb)`)
}
