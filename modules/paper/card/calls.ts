import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import { MARK_GRANTS, READ_GRANTS } from '../paper.ts'
import { CARD_SHEETS, type Box } from './geometry.ts'
import { NUMBER_LENGTH, type CardLayout } from './layout.ts'
import type { Candidate } from './roster.ts'
import type { CandidateResult, QuestionResult } from './result.ts'

const END = '/daoyuan/api/end'
const name = z.string('请填写场次名称').check(z.trim(), z.minLength(1, '请填写场次名称'), z.maxLength(60, '场次名称最多 60 个字'))
/** Names of thousands of candidates, pasted. */
const roster = z.string('名单有误').check(z.maxLength(400_000, '名单太长'))

/** A card as it goes to the printer. */
export interface PrintedCard {
  /** Stands in the page marks. */
  id: number
  layout: CardLayout
}

/** Lays out the answer card of a paper as it is now, and keeps it: what is printed twice has one number. */
export const makeCard = defineEndpoint<PrintedCard>()({
  method: 'POST', path: `${END}/paper/{id}/card`, summary: '生成答题卡', grant: READ_GRANTS,
  input: z.object({
    sheet: z.enum(CARD_SHEETS.map(({ value }) => value), '请选择纸张'),
    person: z.enum(['number', 'barcode'], '请选择考生识别方式'),
    digits: z.int('考号位数应为整数').check(z.gte(NUMBER_LENGTH.least, `考号最少 ${NUMBER_LENGTH.least} 位`), z.lte(NUMBER_LENGTH.most, `考号最多 ${NUMBER_LENGTH.most} 位`)),
  }),
})

/** Pages of a marking, by what became of them. */
export interface PageCounts {
  all: number
  read: number
  loose: number
  twice: number
  failed: number
}

export interface Marking {
  id: number
  paper_id: number
  name: string
  state: 'open' | 'done'
  job_id: number | null
  created_at: number
  candidates: number
  roster: Candidate[]
  pages: PageCounts
  /** Answers that somebody has to look at, and written ones without points. */
  doubtful: number
  unscored: number
  /** Files that could not be opened, with why. */
  broken: { name: string; problem: string }[]
}

export const listMarkings = defineEndpoint<{ items: Marking[] }>()({ method: 'GET', path: `${END}/paper/{id}/markings`, summary: '阅卷场次', grant: MARK_GRANTS })
export const addMarking = defineEndpoint<{ id: number }>()({ method: 'POST', path: `${END}/paper/{id}/markings`, summary: '新建阅卷场次', grant: MARK_GRANTS, input: z.object({ name, roster: z.optional(roster) }) })
export const getMarking = defineEndpoint<Marking>()({ method: 'GET', path: `${END}/card_markings/{id}`, summary: '阅卷场次详情', grant: MARK_GRANTS })
/** What is pasted takes the place of the list that was there. */
export const setRoster = defineEndpoint<{ candidates: number }>()({ method: 'PUT', path: `${END}/card_markings/{id}/roster`, summary: '导入考生名单', grant: MARK_GRANTS, input: z.object({ roster }) })

/** Takes one file with scanned pages, as multipart. */
export const uploadScan = defineEndpoint<{ id: string; name: string }>()({ method: 'POST', path: `${END}/card_scans`, summary: '上传答题卡扫描件', grant: MARK_GRANTS, upload: true })
export const readScans = defineEndpoint<{ job_id: number; added: number; again: number }>()({
  method: 'POST', path: `${END}/card_markings/{id}/scans`, summary: '识别答题卡', grant: MARK_GRANTS,
  input: z.object({ file_ids: z.array(z.string('文件有误').check(z.uuid('文件编号不正确')), '请选择文件').check(z.minLength(1, '请选择文件'), z.maxLength(200, '一次最多 200 个文件')) }),
})

/** A page that somebody has to look at. */
export interface LoosePage {
  id: number
  state: 'loose' | 'twice' | 'failed'
  problem: string | null
  number: string | null
  guess: string | null
  page_no: number | null
  file_name: string
  ord: number
  /** Where the number stands; null shows all of the page. */
  place: Box | null
}
export const loosePages = defineEndpoint<{ items: LoosePage[] }>()({ method: 'GET', path: `${END}/card_markings/{id}/loose`, summary: '待处理的页面', grant: MARK_GRANTS })
export const setPageNumber = defineEndpoint<{ state: string }>()({
  method: 'PUT', path: `${END}/card_pages/{id}/number`, summary: '填写页面的考号', grant: MARK_GRANTS,
  input: z.object({ number: z.string('请填写考号').check(z.trim(), z.regex(/^[\dA-Za-z-]{1,20}$/, '考号为 1 到 20 位数字或字母')) }),
})
export const removePage = defineEndpoint<Record<string, never>>()({ method: 'DELETE', path: `${END}/card_pages/{id}`, summary: '移除一页', grant: MARK_GRANTS })

/** An answer with its place on the picture. */
export interface Answer {
  page_id: number
  question: number
  label: string
  number: string | null
  letters: string[] | null
  /** Letters to choose from; none for what is written. */
  choices: string[]
  several: boolean
  max: number
  score: number | null
  places: { page_id: number; box: Box }[]
}
export const doubtfulAnswers = defineEndpoint<{ items: Answer[]; total: number }>()({ method: 'GET', path: `${END}/card_markings/{id}/doubtful`, summary: '存疑的填涂', grant: MARK_GRANTS })

/** Written questions of a marking, with how many answers still have no points. */
export interface WrittenQuestion {
  question: number
  card_id: number
  label: string
  max: number
  total: number
  left: number
}
export const writtenQuestions = defineEndpoint<{ items: WrittenQuestion[] }>()({ method: 'GET', path: `${END}/card_markings/{id}/written`, summary: '待阅的主观题', grant: MARK_GRANTS })
const whole = z.coerce.number('题号不正确').check(z.int('题号不正确'), z.gte(0, '题号不正确'), z.lte(1_000_000_000, '题号不正确'))
export const writtenAnswers = defineEndpoint<{ items: Answer[]; total: number }>()({ method: 'GET', path: `${END}/card_markings/{id}/answers`, summary: '主观题的作答', grant: MARK_GRANTS, input: z.object({ card_id: whole, question: whole }) })

/** Says what an answer is: letters of a choice, or points of what is written. */
export const setMark = defineEndpoint<Record<string, never>>()({
  method: 'PUT', path: `${END}/card_pages/{id}/marks/{question}`, summary: '确认填涂或给分', grant: MARK_GRANTS,
  input: z.object({
    letters: z.optional(z.array(z.string('选项有误').check(z.regex(/^[A-Z]$/, '选项有误')), '选项有误').check(z.maxLength(26, '选项太多'))),
    score: z.optional(z.number('分值应为数字').check(z.gte(0, '分值不能为负'), z.lte(300, '分值最多 300'), z.multipleOf(0.5, '分值以 0.5 分为单位'))),
  }),
})

const millimetres = z.optional(z.coerce.number('位置不正确').check(z.gte(-50, '位置不正确'), z.lte(1000, '位置不正确')))
/** A part of a page as a picture; all of it where no place is named. */
export const pagePicture = defineEndpoint<unknown>()({ method: 'GET', path: `${END}/card_pages/{id}/picture`, summary: '答题卡图片', grant: MARK_GRANTS, stream: true, input: z.object({ x: millimetres, y: millimetres, w: millimetres, h: millimetres }) })

export interface Results {
  candidates: CandidateResult[]
  questions: QuestionResult[]
  /** Of the list, who has no card. */
  missing: Candidate[]
  total: number
}
export const markingResults = defineEndpoint<Results>()({ method: 'GET', path: `${END}/card_markings/{id}/results`, summary: '阅卷成绩', grant: MARK_GRANTS })
export const markingSheet = defineEndpoint<unknown>()({ method: 'GET', path: `${END}/card_markings/{id}/sheet`, summary: '导出成绩', grant: MARK_GRANTS, stream: true })
/** Ends a marking: its answers go into the statistics of the bank's questions. */
export const finishMarking = defineEndpoint<{ sent: number }>()({ method: 'POST', path: `${END}/card_markings/{id}/finish`, summary: '完成阅卷', grant: MARK_GRANTS })
