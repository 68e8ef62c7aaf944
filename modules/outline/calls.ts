import * as z from 'zod/mini'
import { defineAppScope } from '../../core/endpoint/app-scope.ts'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { changeSchema, type Change } from './changes.ts'
import type { CompleteRule } from './complete.ts'
import type { Guess } from './guess.ts'
import { EDIT_GRANTS, PUBLISH_GRANTS, VIEW_GRANTS } from './grants.ts'
import { keySchema, type OutlineBlock, type OutlineBody, type OutlineNode } from './node.ts'

export const OUTLINE_STATE = { draft: 0, published: 1, changed: 2 } as const

export const OUTLINE_STATES = [
  { value: OUTLINE_STATE.draft, label: '草稿', tone: 'idle' }, { value: OUTLINE_STATE.published, label: '已发布', tone: 'success' }, { value: OUTLINE_STATE.changed, label: '有改动', tone: 'warning' },
] as const

/** Something that a block shows. */
export interface BlockTarget {
  readonly kind: string
  readonly id: number
  readonly name: string
  /** 12:40 · 有字幕 */
  readonly note: string
  /** How long it takes a learner. */
  readonly minutes: number
  /** 可用, 待转码, 已停用: only what is bad keeps an outline from being published. */
  readonly health: { readonly tone: 'ok' | 'wait' | 'bad'; readonly words: string }
  /** Its present version; null where it has none. */
  readonly version_no: number | null
  /** A small picture. */
  readonly cover: string | null
  /** Where it is edited; null where it has no page. */
  readonly path: string | null
}

/** A kind of block as the editor offers it. */
export interface OfferedKind {
  readonly kind: string
  readonly label: string
  readonly slots: readonly { readonly value: number; readonly label: string }[]
  readonly versions: boolean
  /** Whether it refers to something that is chosen. */
  readonly refers: boolean
}

/** An outline as its editor shows it. */
export interface OutlineContent {
  id: number
  title: string
  note: string
  /** Subject of what is taught; null: of any. */
  subject_id: number | null
  state: (typeof OUTLINE_STATE)[keyof typeof OUTLINE_STATE]
  version_no: number
  /** Counts the changes. */
  rev: number
  body: OutlineBody
  /** What learners see; empty where nothing was published yet. */
  published: OutlineBody
  targets: BlockTarget[]
  kinds: OfferedKind[]
  complete: CompleteRule
  origin: { id: number; no: number; latest: number } | null
  /** How many learners have begun each node, by its key. */
  learners: Record<string, number>
  can_edit: boolean
  can_publish: boolean
  read_only: string | null
}

/** A colleague who changed or removed what somebody else's change is about. */
export interface Clash {
  key: string
  name: string
  did: 'moved' | 'removed'
  staff_name: string
  at: number
}

/** What happened to an outline since somebody looked. */
export interface OutlineNews {
  rev: number
  /** Latest version; another than is known means that what learners see is another. */
  version_no: number
  state: OutlineContent['state']
  /** In their order, the caller's own too; null where they are too many, and the whole is read again. */
  changes: { rev: number; changes: Change[]; staff_id: number | null; staff_name: string; at: number }[] | null
  /** What blocks show that the changes brought. */
  targets: BlockTarget[]
  clashes: Clash[]
}

/** What the origin of a copy published since somebody looked through it. */
export interface OriginNews {
  /** Latest version of the origin. */
  latest: number
  /** What the origin held when it was looked through, and what it holds now. */
  base: OutlineBody
  theirs: OutlineBody
  targets: BlockTarget[]
  /** Nodes that differ and that nobody has decided on. */
  open: string[]
}

/** Something that would be touched. */
export interface ImpactGroup {
  label: string
  /** How many places show it, of how many printed pages, and how many learners are midway. */
  live: number
  printed: number
  learners: number
  /** At most a hundred. */
  rows: { title: string; path: string | null }[]
}

/** A version that learners see or saw. */
export interface OutlineVersion {
  no: number
  at: number
  staff_name: string | null
  note: string
  lessons: number
  minutes: number
}

/** A node that learners see. */
export interface PublishedNode extends OutlineNode {
  id: number
  /** Minutes of its own blocks. */
  minutes: number
  /** Version from which on it is not offered any more; those who had begun it may go on for thirty days. */
  gone_since: number | null
}
/** A version as learners' apps get it. */
export interface PublishedBody {
  nodes: PublishedNode[]
  blocks: (OutlineBlock & { name: string; minutes: number })[]
}

const END = '/daoyuan/api/end/outlines'
const rev = z.int('版本不正确').check(z.gte(0, '版本不正确'))
const since = z.string('版本不正确').check(z.regex(/^\d{1,9}$/, '版本不正确'))
const note = z.optional(z.string('说明应为文字').check(z.trim(), z.maxLength(200, '说明最多 200 个字')))
const token = z.optional(z.string('请重新查看影响').check(z.maxLength(100, '请重新查看影响')))
const positive = (words: string) => z.int(words).check(z.gte(1, words))

export const readOutline = defineEndpoint<OutlineContent>()({ method: 'GET', path: `${END}/{id}`, summary: '课程目录', grant: VIEW_GRANTS })
export const outlineNews = defineEndpoint<OutlineNews>()({ method: 'GET', path: `${END}/{id}/changes`, summary: '课程目录的新改动', grant: VIEW_GRANTS, input: z.object({ rev: since }) })
/** Several changes at once, as they were made; the answer holds everybody's since `rev`. */
export const changeOutline = defineEndpoint<OutlineNews>()({
  method: 'POST', path: `${END}/{id}/changes`, summary: '修改课程目录', grant: EDIT_GRANTS,
  input: z.object({ rev, changes: z.array(changeSchema, '修改内容有误').check(z.minLength(1, '没有修改'), z.maxLength(600, '一次修改太多')) }),
})

/** What publishing touches, and the token that says that somebody has seen it. */
export const outlineImpact = defineEndpoint<{ groups: ImpactGroup[]; learners: number; broken: { key: string; name: string; words: string }[]; token: string }>()({
  method: 'GET', path: `${END}/{id}/impact`, summary: '发布课程目录的影响', grant: PUBLISH_GRANTS,
})
export const publishOutline = defineEndpoint<{ no: number }>()({ method: 'POST', path: `${END}/{id}/publish`, summary: '发布课程目录', grant: PUBLISH_GRANTS, input: z.object({ note, token }) })
/** Makes the draft what learners see. */
export const discardOutline = defineEndpoint<{ rev: number }>()({ method: 'POST', path: `${END}/{id}/discard`, summary: '放弃课程目录的改动', grant: EDIT_GRANTS })
export const outlineVersions = defineEndpoint<{ items: OutlineVersion[]; total: number }>()({ method: 'GET', path: `${END}/{id}/versions`, summary: '课程目录的版本', grant: VIEW_GRANTS })
export const outlineVersion = defineEndpoint<{ no: number; body: PublishedBody }>()({ method: 'GET', path: `${END}/{id}/versions/{no}`, summary: '课程目录的一个版本', grant: VIEW_GRANTS })
/** Publishes what an older version held. */
export const rollBackOutline = defineEndpoint<{ no: number }>()({ method: 'POST', path: `${END}/{id}/versions/{no}/restore`, summary: '回滚课程目录', grant: PUBLISH_GRANTS, input: z.object({ token }) })

/** An outline that another one can be copied from. */
export interface OutlineSource {
  id: number
  title: string
  note: string
  /** What owns it: 高中同步目录 */
  label: string
  lessons: number
  /** 0: never published, so that what is being edited is copied. */
  version_no: number
}
/** Outlines within a person's reach that have something to copy, the newest first, at most fifty. */
export const outlineSources = defineEndpoint<{ items: OutlineSource[] }>()({
  method: 'GET', path: `${END}/{id}/sources`, summary: '可以复制的课程目录', grant: EDIT_GRANTS, input: z.object({ keyword: z.optional(z.string('关键词有误').check(z.trim(), z.maxLength(60, '关键词最多 60 个字'))) }),
})
/** Brings everything of another outline into an empty one, which from then on knows where it came from. */
export const copyOutline = defineEndpoint<{ rev: number }>()({ method: 'POST', path: `${END}/{id}/copy`, summary: '从另一个目录复制', grant: EDIT_GRANTS, input: z.object({ from_id: positive('请选择来源目录') }) })
/** What the origin published since it was looked through. */
export const originNews = defineEndpoint<OriginNews>()({ method: 'GET', path: `${END}/{id}/origin`, summary: '来源目录的更新', grant: VIEW_GRANTS })
/** What becomes of changes of the origin, node by node. */
export const decideOrigin = defineEndpoint<OutlineNews>()({
  method: 'POST', path: `${END}/{id}/origin`, summary: '处理来源目录的更新', grant: EDIT_GRANTS,
  input: z.object({ rev, latest: positive('版本不正确'), decisions: z.array(z.object({ key: keySchema, take: z.enum(['accept', 'keep', 'skip'], '处理方式不正确') }), '没有选择内容').check(z.minLength(1, '没有选择内容'), z.maxLength(3000, '一次处理太多')) }),
})

/** What can be bound to a node. */
export const findTargets = defineEndpoint<{ items: BlockTarget[] }>()({
  method: 'GET', path: `${END}/{id}/targets`, summary: '可以放入课程目录的内容', grant: EDIT_GRANTS,
  input: z.object({ kind: z.string('内容类型不正确').check(z.regex(/^[a-z_]{1,20}$/, '内容类型不正确')), keyword: z.optional(z.string('关键词有误').check(z.trim(), z.maxLength(60, '关键词最多 60 个字'))) }),
})
/** Which nodes names of files may mean. */
export const guessOutline = defineEndpoint<{ items: { name: string; guesses: Guess[] }[] }>()({
  method: 'POST', path: `${END}/{id}/guess`, summary: '按文件名找课时', grant: EDIT_GRANTS,
  input: z.object({ names: z.array(z.string('文件名应为文字').check(z.minLength(1, '文件名为空'), z.maxLength(200, '文件名最多 200 个字')), '文件名有误').check(z.minLength(1, '没有文件名'), z.maxLength(500, '一次最多 500 个文件')) }),
})

/** What keys of learners' apps can be good for here. */
export const LEARN_RECORDS = defineAppScope('learn_records', '上报学习记录')
export const LEARN_CONTENT = defineAppScope('learn_content', '读取课程目录')

const record = z.object({
  user_id: positive('用户有误'),
  node_id: positive('课时有误'),
  seconds: z.int('学习时长应为整数').check(z.gte(0, '学习时长不能为负'), z.lte(86_400, '学习时长有误')),
  /** Video watched to nine tenths, paper handed in, anything else opened. */
  done: z.boolean('是否学完有误'),
  /** Unix seconds. */
  at: z.int('时间有误').check(z.gte(1_000_000_000, '时间有误'), z.lte(9_999_999_999, '时间有误')),
})
export type LearnRecord = z.infer<typeof record>

/**
 * Takes what learners did. A record that is sent twice counts once; `unknown` are nodes that were never
 * published, `unknown_users` people whom we do not know: both are left out.
 */
export const receiveLearnRecords = defineEndpoint<{ received: number; unknown: number[]; unknown_users: number[] }>()({
  method: 'POST', path: '/daoyuan/api/end/learn_records', summary: '接收学习记录', grant: 'device', app: LEARN_RECORDS,
  input: z.object({ records: z.array(record, '学习记录有误').check(z.maxLength(1000, '每次最多 1000 条')) }),
})
/** The latest version of an outline, for learners' apps. */
export const publishedOutline = defineEndpoint<{ no: number; body: PublishedBody }>()({
  method: 'GET', path: '/daoyuan/api/end/learn_outlines/{id}', summary: '学习端读取课程目录', grant: 'device', app: LEARN_CONTENT,
})
