import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint/define.ts'
import type { SurveyItem } from './survey.ts'

/** What stands on a public page, from top to bottom. Text only: nothing that a module says is markup. */
export type PublicBlock =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'facts'; readonly facts: readonly { readonly label: string; readonly value: string }[] }
  | { readonly kind: 'table'; readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] }
  /** A way to another page, of this site or under https. */
  | { readonly kind: 'link'; readonly label: string; readonly href: string }
  | PublicQuestion
  /** Questions that depend on one another, page by page; it stands last, with the button. */
  | { readonly kind: 'survey'; readonly items: readonly SurveyItem[] }

/** Something that is asked; the answer comes back under its key. */
export type PublicQuestion =
  | { readonly kind: 'ask'; readonly key: string; readonly label: string; readonly required?: boolean; readonly max: number; readonly lines?: number }
  | { readonly kind: 'choose'; readonly key: string; readonly label: string; readonly required?: boolean; readonly options: readonly string[]; readonly several?: boolean }

/** What somebody sees who opens a public link. */
export interface PublicPage {
  readonly title: string
  readonly blocks: readonly PublicBlock[]
  /** Words of the button that sends the answers; a page without it is only read. */
  readonly send?: string
  /** Why nothing is taken any more, or yet: shown in the place of the questions, and said to whoever sends all the same. */
  readonly closed?: string
}

/** Answers by the keys of the questions. */
export type PublicAnswers = Readonly<Record<string, string | readonly string[]>>

/** What comes with answers: which browser sends them, and how long somebody was at it. */
export interface PublicSender {
  /** The same for every page that a browser opens; null where it keeps nothing. */
  readonly visitor: string | null
  readonly seconds: number
}

/** Path of a public page in the browser, below the console's base. */
export const PUBLIC_PAGE = '/new/s/:token'

const path = '/daoyuan/api/public/pages/{token}'

export const readPublicPage = defineEndpoint<PublicPage>()({ method: 'GET', path, summary: '公开页面', grant: 'public' })

export const answerPublicPage = defineEndpoint<{ message: string }>()({
  method: 'POST', path, summary: '提交公开页面', grant: 'public',
  // Who sends nothing at all hears what is missing.
  input: z.object({
    answers: z._default(z.record(z.string().check(z.maxLength(40)), z.union([z.string().check(z.maxLength(5000, '内容最多 5000 个字')), z.array(z.string().check(z.maxLength(200))).check(z.maxLength(100))], '回答有误')), {}),
    visitor: z.optional(z.string('访客标识有误').check(z.regex(/^[\w-]{8,40}$/, '访客标识有误'))), seconds: z.optional(z.int('用时有误').check(z.gte(0, '用时有误'), z.lte(86_400, '用时有误'))),
  }),
})
