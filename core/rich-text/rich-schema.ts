/** What may be stored as rich text: a whitelist. Attributes that it does not name are dropped, kinds that it does not name are refused. */
import * as z from 'zod/mini'
import { docOf, inlinesOf, type Block, type Inline, type RichDoc } from './rich-doc.ts'

/** Longest text of one run, in characters. */
const MAX_TEXT = 20_000
/** Deepest nesting of blocks: a list in a cell of a table in a table. */
const MAX_DEPTH = 6
/** Most nodes of one document. */
const MAX_NODES = 20_000
/** Only stored files: an address of another host would load what nobody has looked at, and tell it who reads. */
const ASSET = /^\/daoyuan\/api\/end\/files\/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Characters that the database cannot store or nobody can see: controls, lone surrogates, marks of direction. */
export const cleanText = (text: string) => text.toWellFormed().replace(/[\u0000-\u0008\u000B-\u001F\u007F\u200B\u202A-\u202E\u2066-\u2069\uFEFF\uFFFD]/g, '')

const words = z.string('文字格式不正确').check(z.maxLength(MAX_TEXT, '一段文字太长'), z.overwrite(cleanText))
const short = z.string('文字格式不正确').check(z.maxLength(200, '文字最多 200 个字'), z.overwrite(cleanText))
const id = z.string('编号格式不正确').check(z.regex(/^[\w-]{1,24}$/, '编号格式不正确'))
const asset = z.string('图片地址不正确').check(z.regex(ASSET, '图片须先上传'))
const flag = z.optional(z.literal(true))
const whole = (min: number, max: number) => z.int('数字格式不正确').check(z.gte(min, '数字太小'), z.lte(max, '数字太大'))
const align = z.optional(z.enum(['left', 'center', 'right']))
const width = z.optional(whole(1, 4000))

const inline: z.ZodMiniType<Inline> = z.union([
  words,
  z.discriminatedUnion('t', [
    z.object({ t: z.literal('text'), text: words, b: flag, i: flag, u: flag, dot: flag, wave: flag, sub: flag, sup: flag, ruby: z.optional(short) }),
    z.object({ t: z.literal('tex'), tex: words }),
    z.object({ t: z.literal('img'), asset, w: width, alt: z.optional(short), pending: flag }),
    z.object({ t: z.literal('blank'), id, width: z.optional(whole(1, 80)), style: z.optional(z.enum(['line', 'paren', 'box'])) }),
    z.object({ t: z.literal('paren') }),
    z.object({ t: z.literal('subref'), n: whole(1, 200) }),
    z.object({ t: z.literal('br') }),
    z.object({ t: z.literal('field'), path: z.string('字段有误').check(z.regex(/^[a-z_\d]{1,60}([.:][a-z_\d]{1,60})?$/, '字段有误')), label: short, b: flag }),
  ]),
], '含有不支持的内容')

const run = z.array(inline)
const flow = z.lazy(() => z.array(block))
const cell = z.object({ c: flow, colspan: z.optional(whole(1, 60)), rowspan: z.optional(whole(1, 500)), head: flag })

const block: z.ZodMiniType<Block> = z.discriminatedUnion('t', [
  z.object({ t: z.literal('p'), c: run, align, indent: z.optional(whole(0, 8)) }),
  z.object({ t: z.literal('table'), rows: z.array(z.array(cell)).check(z.maxLength(500, '表格最多 500 行')), plain: flag }),
  z.object({ t: z.literal('image'), asset, w: width, align, caption: z.optional(short) }),
  z.object({ t: z.literal('math'), tex: words }),
  z.object({ t: z.literal('audio'), asset, title: z.optional(short) }),
  z.object({ t: z.literal('list'), style: z.enum(['bullet', 'decimal', 'paren', 'circle', 'letter']), start: z.optional(whole(0, 9999)), items: z.array(flow) }),
  z.object({ t: z.literal('poem'), lines: z.array(run) }),
  z.object({ t: z.literal('dialogue'), turns: z.array(z.object({ who: short, c: run })) }),
  z.object({ t: z.literal('lines'), n: whole(1, 60), style: z.optional(z.literal('grid')) }),
], '含有不支持的内容')

/** Looks at the size before the schema walks it: a document may come from anybody. Each level of blocks is two or three of JSON. */
function isOfSize(value: unknown): boolean {
  let level: unknown[] = [value]
  let nodes = 0
  for (let depth = 0; level.length > 0; depth++) {
    nodes += level.length
    if (depth > 3 * MAX_DEPTH + 4 || nodes > 6 * MAX_NODES) return false
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return true
}

const shape = z.object({ t: z.literal('doc'), v: z.literal(1), c: z.array(block) }, '内容格式不正确')

/** The text of a template, in which places of values may stand. */
export const templateDoc: z.ZodMiniType<RichDoc | null> = z.pipe(
  z.unknown().check(z.refine(isOfSize, { error: '内容太多或嵌套太深', abort: true })),
  z.pipe(z.nullable(shape), z.transform((doc) => (doc ? docOf(doc.c) : null))),
)

/**
 * A rich text or null. Text is cleaned, unknown attributes are dropped, and a document without anything to read
 * becomes null.
 */
export const richDoc: z.ZodMiniType<RichDoc | null> = templateDoc.check(z.refine((doc) => inlinesOf(doc, 'field').length === 0, '含有不支持的内容'))

/** @returns the document as it would be stored, or undefined when it may not be stored */
export function readDoc(value: unknown): RichDoc | null | undefined {
  const read = richDoc.safeParse(value)
  return read.success ? read.data : undefined
}
