import * as z from 'zod/mini'
import { defineAppScope } from '../../core/endpoint/app-scope.ts'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { standardId } from '../../core/grant/grant.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { evaluation } from './evaluation.ts'
import { lesson, matrixRights, sectionRights, videoRights } from './lesson.ts'
import { lessonRelation, relationRights } from './relation.ts'
import { RELATIONS } from './relation-kind.ts'
import { PAPER_SLOTS, VIDEO_SLOTS } from './slots.ts'

const BASE = '/daoyuan/api'
const LESSON = `${BASE}/lessons/{id}`
const anyInput = z.record(z.string(), z.unknown())
const id = (words: string) => z.int(words).check(z.positive(words))
/** Ids of queries travel as text. */
const asked = (words: string) => z.optional(z.string(words).check(z.regex(/^[1-9]\d{0,14}$/, words)))
const flag = (words: string) => z.optional(z.union([z.boolean(), z.literal(0), z.literal(1)], words))
const sort = z.optional(z.int('排序应为整数').check(z.gte(0, '排序不能小于 0'), z.lte(1_000_000, '排序不能超过 1000000')))
const oneOf = (choices: readonly { value: number; label: string }[], words: string) => z.int(words).check(z.refine((value) => choices.some((choice) => choice.value === value), words))

/** A course as lookups show it. */
export interface ShownLesson {
  id: number
  name: string
  cat_id: number
  cover: string | null
  state: number
  status: 0 | 1
  isParent: 0 | 1
  difficulty: number | null
  section_cnt: number
  video_cnt: number
  star: number | null
  unhealthy: string | null
}

/** spec 7: `GET lessons?cat_id=`: groups, each with lessons. */
export const lessonsBySubject = defineEndpoint<{ groups: { cat_id: number; name: string; lessons: ShownLesson[] }[] }>()({
  method: 'GET', path: `${BASE}/lessons`, summary: '按学科分组的课程', grant: 'staff', input: z.object({ cat_id: asked('学科有误') }),
})

/** A video of a course, as the specification's clients know it: `id` is the block below a section. */
export interface LessonVideo {
  id: number
  section_id: number | null
  section_name: string | null
  type: number
  title: string
  /** Id of the video in the library, also under the name by which players ask for it. */
  asset_id: number
  vod_id: string
  url: string
  cover: string | null
  /** Seconds. */
  duration: number | null
  trial: boolean
  sort: number
  /** Learners have begun the section: how many, and how many of them finished it. */
  begun: number
  finished: number
  health: { tone: 'ok' | 'wait' | 'bad'; words: string }
  /** Why learners do not see it yet; null where they do, or as soon as they look. */
  waits?: string | null
}

const videoValues = {
  section_id: z.optional(z.nullable(id('请选择章节'))),
  type: z.optional(oneOf(VIDEO_SLOTS, '视频类型应为 1 正课、2 预习、3 答疑、4 试看')),
  title: z.optional(z.string('视频标题应为文字').check(z.trim(), z.maxLength(80, '视频标题最多 80 个字'))),
  asset_id: z.optional(id('请选择视频')),
  vod_id: z.optional(z.union([z.int(), z.string().check(z.regex(/^[1-9]\d{0,14}$/))], '视频编号有误')),
  trial: flag('试看应为是或否'),
  sort,
}
const videoSchema = z.object(videoValues)
export type VideoInput = z.infer<typeof videoSchema>
/** Videos that come with a course at once. */
export const MOST_VIDEOS = 100
export const videosSchema = z.array(videoSchema, '视频应为列表').check(z.maxLength(MOST_VIDEOS, `一次最多 ${MOST_VIDEOS} 个视频`))

type WithVideos = WireRow & { videos: LessonVideo[]; waits?: string | null }
export const createLesson = defineEndpoint<WithVideos>()({ method: 'POST', path: `${BASE}/lessons`, summary: '新增课程，可带视频', grant: [standardId(lesson.grant, 'edit')], input: anyInput })
export const updateLesson = defineEndpoint<WithVideos>()({ method: 'PUT', path: LESSON, summary: '修改课程，可带视频；status 为上下架', grant: [standardId(lesson.grant, 'edit'), lesson.rights.id('shelve')], input: anyInput })
export const removeLesson = defineEndpoint<{ undo?: number }>()({ method: 'DELETE', path: LESSON, summary: '删除课程', grant: [standardId(lesson.grant, 'remove')], input: z.object({ rev: z.optional(z.unknown()) }) })

const typed = { type: z.optional(z.string('视频类型有误').check(z.regex(/^[1-4]$/, '视频类型应为 1 正课、2 预习、3 答疑、4 试看'))), section_id: asked('章节有误') }
export const lessonVideos = defineEndpoint<{ items: LessonVideo[]; total: number }>()({ method: 'GET', path: `${BASE}/end/lessons/{id}/videos`, summary: '课程的视频', grant: [videoRights.screen, sectionRights.screen], input: z.object(typed) })
export const addVideo = defineEndpoint<LessonVideo>()({ method: 'POST', path: `${LESSON}/videos`, summary: '新增课程视频', grant: [videoRights.id('edit')], input: videoSchema })
export const setVideo = defineEndpoint<LessonVideo>()({ method: 'PUT', path: `${LESSON}/videos/{videoId}`, summary: '修改课程视频', grant: [videoRights.id('edit')], input: videoSchema })
export const dropVideo = defineEndpoint<{ waits: string | null }>()({ method: 'DELETE', path: `${LESSON}/videos/{videoId}`, summary: '移除课程视频', grant: [videoRights.id('edit')] })
/** Videos of the library that a course can take. */
export const videosToAdd = defineEndpoint<{ items: { id: number; name: string; note: string; cover: string | null }[] }>()({
  method: 'GET', path: `${BASE}/end/lesson/{id}/videos_to_add`, summary: '可以放入课程的视频', grant: [videoRights.id('edit')],
  input: z.object({ keyword: z.optional(z.string('关键词有误').check(z.trim(), z.maxLength(60, '关键词最多 60 个字'))) }),
})

/** A section of a course, as the specification's clients know it: `id` is a node of its outline. */
export interface LessonSection {
  id: number
  parent_id: number | null
  name: string
  free: boolean
  sort: number
  video_cnt: number
  paper_cnt: number
  waits?: string | null
}

const sectionValues = {
  name: z.string('章节名称应为文字').check(z.trim(), z.minLength(1, '请填写章节名称'), z.maxLength(80, '章节名称最多 80 个字')),
  parent_id: z.optional(z.nullable(id('上级章节有误'))), free: flag('试看应为是或否'), sort,
}
const sectionChange = z.object({ ...sectionValues, name: z.optional(sectionValues.name) })
export type SectionInput = z.infer<typeof sectionChange>
export const lessonSections = defineEndpoint<{ items: LessonSection[]; total: number }>()({ method: 'GET', path: `${LESSON}/sections`, summary: '课程的章节', grant: [sectionRights.screen, videoRights.screen] })
export const addSection = defineEndpoint<LessonSection>()({ method: 'POST', path: `${LESSON}/sections`, summary: '新增章节', grant: [sectionRights.id('edit')], input: z.object(sectionValues) })
export const setSection = defineEndpoint<LessonSection>()({ method: 'PUT', path: `${LESSON}/sections/{sectionId}`, summary: '修改章节', grant: [sectionRights.id('edit')], input: sectionChange })
export const dropSection = defineEndpoint<{ waits: string | null }>()({ method: 'DELETE', path: `${LESSON}/sections/{sectionId}`, summary: '删除章节', grant: [sectionRights.id('edit')] })
/** The outline of a course for its editor, made when it is opened for the first time. */
export const openSections = defineEndpoint<{ outline_id: number; name: string }>()({ method: 'POST', path: `${BASE}/end/lesson/{id}/outline`, summary: '打开课程的章节', grant: [sectionRights.screen] })

/** Courses that one can go with at once. */
export const MOST_RELATED = 100
/** spec 7: the whole set of one course and kind. */
export const setRelations = defineEndpoint<{ items: WireRow<typeof lessonRelation>[]; total: number }>()({
  method: 'POST', path: lessonRelation.api.item, summary: '设置课程的关联', back: { instead: '设错了，重新设置关联' }, grant: [relationRights.id('edit')],
  input: z.object({
    parent_id: id('请选择主课程'), child_ids: z.array(id('请选择关联课程'), '请选择关联课程').check(z.maxLength(MOST_RELATED, `最多关联 ${MOST_RELATED} 门课程`)),
    kind: oneOf(RELATIONS, '关系应为 1 前置、2 打包、3 赠送、4 同类'), sort,
  }),
})
/** Courses that are connected with one, however far, and how. */
export interface LessonGraph {
  nodes: { id: number; name: string; state: number; subject_name: string }[]
  edges: { parent: number; child: number; kind: number }[]
}
export const relationGraph = defineEndpoint<LessonGraph>()({ method: 'GET', path: `${BASE}/end/lesson/{id}/graph`, summary: '课程关联图', grant: [lessonRelation.grant] })

/** A paper that stands at a section, or is being made for it. */
export interface CellPaper {
  paper_id: number
  name: string
  questions: number
  state: string
  tone: 'ok' | 'wait' | 'bad'
  /** Learners get it here. */
  bound: boolean
  path: string | null
}
/** Which papers the sections of a course have, slot by slot. */
export interface PaperMatrix {
  lesson: { id: number; name: string; cat_id: number }
  sections: { id: number; name: string; depth: number; leaf: boolean; cells: Record<string, CellPaper[]> }[]
  waits?: string | null
}
const place = { section_id: id('请选择章节'), slot: oneOf(PAPER_SLOTS, '试卷类型应为 1 随堂、2 课后、3 阶段、4 旧站') }
export const paperMatrix = defineEndpoint<PaperMatrix>()({ method: 'GET', path: `${BASE}/end/lesson/{id}/papers`, summary: '课程各章节的试卷', grant: [matrixRights.screen] })
export const bindPaper = defineEndpoint<PaperMatrix>()({ method: 'POST', path: `${BASE}/end/lesson/{id}/papers`, summary: '为章节绑定试卷', grant: [matrixRights.id('edit')], input: z.object({ ...place, paper_id: id('请选择试卷') }) })
export const unbindPaper = defineEndpoint<PaperMatrix>()({ method: 'DELETE', path: `${BASE}/end/lesson/{id}/papers`, summary: '从章节移除试卷', grant: [matrixRights.id('edit')], input: z.object({ section_id: z.string('请选择章节').check(z.regex(/^[1-9]\d{0,14}$/, '请选择章节')), slot: z.string('试卷类型有误').check(z.regex(/^[1-4]$/, '试卷类型有误')), paper_id: z.string('请选择试卷').check(z.regex(/^[1-9]\d{0,14}$/, '请选择试卷')) }) })
/** Makes a draft for a hole of the questions of a smart paper. */
export const smartIntoHole = defineEndpoint<PaperMatrix & { paper_id: number }>()({ method: 'POST', path: `${BASE}/end/lesson/{id}/papers/smart`, summary: '用智能试卷补齐章节', grant: [matrixRights.id('edit')], input: z.object({ ...place, smart_id: id('请选择智能试卷') }) })
/** Fills the hole of a section with copies of the papers of the section before it. */
export const copyBefore = defineEndpoint<PaperMatrix & { copied: number }>()({ method: 'POST', path: `${BASE}/end/lesson/{id}/papers/copy_before`, summary: '复制上一章的试卷', grant: [matrixRights.id('edit')], input: z.object(place) })
/** Papers that can be put into a section, and smart papers of which one can be made. */
export const papersToBind = defineEndpoint<{ items: { id: number; name: string; note: string }[]; smart: { id: number; name: string }[] }>()({
  method: 'GET', path: `${BASE}/end/lesson/{id}/papers_to_bind`, summary: '可以绑定的试卷', grant: [matrixRights.id('edit')],
  input: z.object({ keyword: z.optional(z.string('关键词有误').check(z.trim(), z.maxLength(60, '关键词最多 60 个字'))) }),
})

/** What keys of learners' apps can be good for here. */
export const LESSON_APP = defineAppScope('lesson_evaluation', '提交课程评价')
/** A learner says what they think of a course that they may use, once. */
export const saidOfLesson = defineEndpoint<{ id: number }>()({
  method: 'POST', path: `${BASE}/device/lesson/evaluations`, summary: '学习端：提交课程评价', grant: 'device', app: LESSON_APP,
  input: z.object({
    user_id: id('用户有误'), lesson_id: id('课程有误'), star: z.int('星级应为 1 到 5').check(z.gte(1, '星级应为 1 到 5'), z.lte(5, '星级应为 1 到 5')),
    content: z.string('请填写评价').check(z.trim(), z.minLength(1, '请填写评价'), z.maxLength(500, '评价最多 500 个字')),
  }),
})

/** Id of the right to answer and to put something on top. */
export const EVALUATION_EDIT = standardId(evaluation.grant, 'edit')
