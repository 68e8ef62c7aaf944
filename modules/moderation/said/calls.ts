import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import { reasonSchema } from '../../../core/resource/endpoints.ts'
import type { PracticeCard } from '../../practice/module.ts'
import { MUTE_DAYS, MUTE_RANGES, userMute, type MuteRange } from '../mute.ts'
import { ANSWERING, DETAIL, LOOKING, MANAGE_RIGHTS, PRACTICE_RIGHTS, TOTALS, VIDEO_RIGHTS } from '../rights.ts'
import type { Hit } from '../word/match.ts'
import { LONGEST, practiceComment, videoComment, type SaidTarget } from './said.ts'

const END = '/daoyuan/api/end'
const id = (words: string) => z.int(words).check(z.positive(words))
const asked = (words: string) => z.coerce.number(words).check(z.int(words), z.positive(words))

/** Something that was said, wherever it is shown. */
export interface SaidItem {
  id: number
  target: SaidTarget
  target_id: number
  root_id: number
  parent_id: number
  user_id: number | null
  name: string
  content: string
  hits: Hit[]
  state: number
  purpose: number
  official: number
  top: number
  likes: number
  at_sec: number | null
  at: number
  assignee_name: string | null
  answered_at: number | null
  adopted_at: number | null
}

/** What is known of somebody who speaks. */
export interface AuthorStory {
  user: { id: number; user_no: string; name: string; register_at: number | null }
  counts: { shown: number; waiting: number; hidden: number; removed: number; refused: number; reported: number }
  mute: { until: number; reason: string; range: MuteRange } | null
  muted: number
  /** Within what the person may see, the newest first. */
  recent: SaidItem[]
  refused: { id: number; at: number; content: string; words: string[]; why: string }[]
}

export const authorStory = defineEndpoint<AuthorStory>()({ method: 'GET', path: `${END}/comment_authors/{id}`, summary: '发言记录', grant: LOOKING })

/** A question that is spoken of. */
export interface PracticeBeside { id: number; no: string; path: string | null; content: PracticeCard['content'] | null }
export const practiceBeside = defineEndpoint<PracticeBeside>()({ method: 'GET', path: `${practiceComment.api.item}/{id}/practice`, summary: '评论的试题', grant: LOOKING })

/** What is said of a video, with where in it. */
export interface VideoTalk {
  video: { id: number; name: string; url: string; cover: string | null; seconds: number | null; chapters: { sec: number; title: string }[]; subtitles: { lang: string; url: string }[] }
  /** Seconds of one bar, and how much is said in each: by when a bar begins. */
  step: number
  density: { sec: number; n: number; waiting: number }[]
  counts: { all: number; shown: number; waiting: number; hidden: number; asks: number }
  items: SaidItem[]
  total: number
}

const range = { from: z.optional(z.coerce.number('开始秒有误').check(z.gte(0, '开始秒有误'))), to: z.optional(z.coerce.number('结束秒有误').check(z.gte(0, '结束秒有误'))) }
export const videoTalk = defineEndpoint<VideoTalk>()({
  method: 'GET', path: `${videoComment.api.list}/videos/{id}`, summary: '一个视频的评论', grant: [DETAIL, VIDEO_RIGHTS.screen],
  input: z.object({ ...range, state: z.optional(z.coerce.number('状态有误').check(z.int('状态有误'))), order: z.optional(z.enum(['sec', 'new', 'likes'], '排序有误')) }),
})
/** Videos of which something is said, the most spoken of first. */
export const talkedVideos = defineEndpoint<{ items: { id: number; name: string; n: number; waiting: number; last_at: number }[]; total: number }>()({
  method: 'GET', path: `${videoComment.api.list}/videos`, summary: '有评论的视频', grant: [DETAIL, VIDEO_RIGHTS.screen], input: z.object({ keyword: z.optional(z.string('关键词有误').check(z.maxLength(60, '关键词最多 60 个字'))) }),
})

export const TOTALS_BY = ['day', 'course', 'teacher'] as const
export type TotalsBy = (typeof TOTALS_BY)[number]
/** One row of the totals: the number leads to exactly these comments. */
export interface TotalRow { key: number | null; name: string | null; n: number; waiting: number; hidden: number; hit: number; asks: number; answered: number; people: number }
export const commentTotals = defineEndpoint<{ items: TotalRow[]; total: number; sum: Omit<TotalRow, 'key' | 'name'> }>()({
  method: 'GET', path: `${videoComment.api.list}/totals`, summary: '评论汇总', grant: [TOTALS],
  input: z.object({ by: z.enum(TOTALS_BY, '汇总方式有误'), from: asked('开始时间有误'), to: asked('结束时间有误') }),
})

/** Answers in the name of the house. What waits for review is let through with it, where the person may do that. */
export const answerComment = defineEndpoint<{ id: number }>()({
  method: 'POST', path: `${END}/comments/{id}/answer`, summary: '官方回复评论', grant: ANSWERING,
  input: z.object({ text: z.string('请输入回复').check(z.trim(), z.minLength(1, '请输入回复'), z.maxLength(LONGEST, `最多 ${LONGEST} 字`)), client_key: z.string('请重新发送').check(z.minLength(8, '请重新发送'), z.maxLength(60, '请重新发送')) }),
})

/** Silences whoever wrote something. */
export const muteAuthor = defineEndpoint<{ id: number; until: number; hidden: number[] }>()({
  method: 'POST', path: `${userMute.api.item}`, summary: '禁言用户', grant: [MANAGE_RIGHTS.id('mute')],
  input: z.object({
    user_id: id('请选择用户'), days: z.union(MUTE_DAYS.map((days) => z.literal(days)), '请选择禁言时长'), range: z.enum(MUTE_RANGES.map(({ value }) => value), '请选择禁言范围'), reason: reasonSchema,
    /** The row of the queue that it came from: it is decided with it, 屏蔽. */
    review_id: z.optional(id('审核记录有误')),
    /** Everything of theirs that waits is hidden too. */
    hide_waiting: z._default(z.boolean('类型有误'), false),
  }),
})

/** 采纳为解析: a learner's way to solve goes into the next version of the question. */
export const adoptSolution = defineEndpoint<{ practice_id: number; practice_no: string; path: string }>()({ method: 'POST', path: `${practiceComment.api.item}/{id}/adopt`, summary: '采纳为解析', grant: [PRACTICE_RIGHTS.id('adopt')] })
/** 报错: what a learner says is wrong with the question goes to whoever checks questions. */
export const passOnReport = defineEndpoint<Record<string, never>>()({
  method: 'POST', path: `${practiceComment.api.item}/{id}/report_practice`, summary: '评论转试题报错', grant: [PRACTICE_RIGHTS.id('report')],
  input: z.object({ note: z._default(z.string('说明有误').check(z.trim(), z.maxLength(200, '说明最多 200 字')), '') }),
})
