/** What a training material consists of: headings, words and questions in order, with breaks and room to write. Pure. */
import * as z from 'zod/mini'

export const PIECE_KINDS = [{ value: 'heading', label: '标题' }, { value: 'text', label: '文字' }, { value: 'practice', label: '试题' }] as const

/** Most pieces: more is a book. */
export const MAX_PIECES = 300
/** Most lines to write on below a question. */
export const MAX_LINES = 40
/** Longest book, in pages (as books have it). */
const MAX_PAGE = 600

const pieceSchema = z.object({
  /** Made by whoever adds it, so that two editors and a version name the same thing. */
  key: z.string('编号不正确').check(z.regex(/^[\w-]{1,24}$/, '编号不正确')),
  kind: z.enum(PIECE_KINDS.map(({ value }) => value), '内容类型不正确'),
  /** Id of the question; 0 for words. */
  ref_id: z.int('试题不正确').check(z.gte(0, '试题不正确')),
  /** Version of the question that is printed, whatever becomes of the question; 0 for words. */
  version_no: z.int('版本不正确').check(z.gte(0, '版本不正确')),
  text: z.string('文字不正确').check(z.maxLength(1000, '文字最多 1000 个字')),
  /** A new page begins with it. */
  page: z.boolean('分页不正确'),
  /** Lines to write on below it. */
  lines: z.int('留白行数应为整数').check(z.gte(0, '留白行数不能为负'), z.lte(MAX_LINES, `留白最多 ${MAX_LINES} 行`)),
}).check(z.refine(({ kind, ref_id, text }) => (kind === 'practice' ? ref_id > 0 : ref_id === 0 && text.trim() !== ''), '标题和文字不能为空'))
export type Piece = z.infer<typeof pieceSchema>

export const piecesSchema: z.ZodMiniType<Piece[]> = z.array(pieceSchema, '内容有误').check(
  z.maxLength(MAX_PIECES, `最多 ${MAX_PIECES} 项内容`),
  z.refine((list) => new Set(list.map(({ key }) => key)).size === list.length, '内容有重复，请刷新后重试'),
  // teaching.md 1.8: materials print every question once.
  z.refine((list) => new Set(practicesOf(list)).size === practicesOf(list).length, '同一道试题只能出现一次'),
)

/** Where answers stand. */
export const ANSWERS = [{ value: 'none', label: '不印' }, { value: 'after', label: '随题' }, { value: 'apart', label: '另附' }] as const
export const PAPERS = [{ value: 'a4', label: 'A4 单栏' }, { value: 'a3', label: 'A3 两栏' }] as const

export const layoutSchema = z.strictObject({
  paper: z.optional(z.enum(PAPERS.map(({ value }) => value), '请选择纸张')),
  answers: z.optional(z.enum(ANSWERS.map(({ value }) => value), '请选择答案位置')),
  /** Number of the book's page with which it begins. */
  first_page: z.optional(z.int('起始页码应为整数').check(z.gte(1, '起始页码至少 1'), z.lte(MAX_PAGE, `起始页码最大 ${MAX_PAGE}`))),
}, '版面有误')

/** How a material is laid out. */
export interface Layout {
  readonly paper: (typeof PAPERS)[number]['value']
  readonly answers: (typeof ANSWERS)[number]['value']
  readonly first_page: number
}
export const FIRST_LAYOUT: Layout = { paper: 'a4', answers: 'apart', first_page: 1 }

/** A layout as it is kept, with what nobody has said anything about. */
export const layoutOf = (kept: unknown): Layout => ({ ...FIRST_LAYOUT, ...(kept as Partial<Layout> | null | undefined) })

/** Ids of the questions, in their order. */
export const practicesOf = (pieces: readonly Pick<Piece, 'kind' | 'ref_id'>[]): number[] => pieces.flatMap(({ kind, ref_id }) => (kind === 'practice' ? [ref_id] : []))

/** A piece with the values that one begins with. */
export const newPiece = (values: Pick<Piece, 'kind'> & Partial<Piece>): Piece =>
  ({ key: crypto.randomUUID().replaceAll('-', '').slice(0, 16), ref_id: 0, version_no: 0, text: '', page: false, lines: 0, ...values })

/** Questions with their numbers: one each, or one for each question of a passage. @param parts how many a question takes */
export function numbersOf(pieces: readonly Piece[], parts: (practiceId: number) => number): Map<string, { from: number; to: number }> {
  const numbers = new Map<string, { from: number; to: number }>()
  let next = 1
  for (const { key, kind, ref_id } of pieces) {
    if (kind !== 'practice') continue
    const n = Math.max(1, parts(ref_id))
    numbers.set(key, { from: next, to: next + n - 1 })
    next += n
  }
  return numbers
}

/** How a page is filled, in words; undefined where it is well. */
export function fillOf(share: number, isLast: boolean): 'over' | 'under' | undefined {
  if (share > 1) return 'over'
  return share < 0.6 && !isLast ? 'under' : undefined
}
