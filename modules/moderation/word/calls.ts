import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import { MANAGE_RIGHTS } from '../rights.ts'
import type { Hit } from './match.ts'
import { LEVELS, sensitiveWord, WORD_GROUPS, WORD_LENGTH } from './word.ts'

const { list, item } = sensitiveWord.api
const words = [MANAGE_RIGHTS.id('words')]

/** Days of what was said that a word is tried on. */
export const TRY_DAYS = 30
/** So many hits, and a word is saved only by somebody who has seen them. */
export const MANY_HITS = 20
/** Most lines that are pasted at once. */
export const MOST_LINES = 2000

const level = z.union(LEVELS.map(({ value }) => z.literal(value)), '请选择处理方式')
const group = z.enum(WORD_GROUPS.map(({ value }) => value), '请选择分组')
const phrase = (what: string) => z.string(`请填写${what}`).check(z.trim(), z.minLength(1, `请填写${what}`), z.maxLength(WORD_LENGTH, `${what}最多 ${WORD_LENGTH} 个字`))
const meant = {
  word: phrase('敏感词'), level, loose: z._default(z.union([z.literal(0), z.literal(1)], '谐音匹配有误'), 0),
  exempt: z._default(z.array(phrase('豁免短语'), '豁免短语有误').check(z.maxLength(20, '豁免短语最多 20 个')), []),
}

/** A comment that a word would have been found in. */
export interface TriedComment { id: number; content: string; at: number; target: 'video' | 'practice'; state: number; hits: Hit[] }
export interface Tried { hits: number; looked: number; people: number; items: TriedComment[]; verdict: string }

/** 试词: what a word would have found in what was said lately. Nothing is written. */
export const tryWord = defineEndpoint<Tried>()({ method: 'POST', path: `${list}/try`, summary: '试词', grant: words, input: z.object(meant) })

/** Saves a word, new or changed. One that would have found much is refused until somebody says that they have seen it. */
export const saveWord = defineEndpoint<{ id: number; version: number; hits: number }>()({
  method: 'POST', path: `${list}/save`, summary: '保存敏感词', grant: words,
  input: z.object({ ...meant, id: z.optional(z.int('敏感词有误').check(z.positive('敏感词有误'))), group, sure: z.optional(z.boolean('确认有误')) }),
})

/** What came of each line that was pasted. */
export interface Pasted { line: number; word: string; as: 'new' | 'known' | 'twice' | 'wrong'; why?: string | undefined }

/** Many words, one a line; a tab may say the group and how it is dealt with. With `write` false nothing is kept. */
export const pasteWords = defineEndpoint<{ items: Pasted[]; total: number; added: number; version: number; hits: number }>()({
  method: 'POST', path: `${list}/paste`, summary: '批量录入敏感词', grant: words,
  input: z.object({ text: z.string('请粘贴敏感词').check(z.minLength(1, '请粘贴敏感词'), z.maxLength(100_000, '内容太长，请分批粘贴')), group, level, write: z.boolean('类型有误'), sure: z.optional(z.boolean('确认有误')) }),
})

/** States of the list, the newest first, with what changed. */
export const wordVersions = defineEndpoint<{ items: { id: number; at: number; staff_name: string | null; note: string }[]; total: number; words: number }>()({ method: 'GET', path: `${list}/versions`, summary: '词库版本', grant: [MANAGE_RIGHTS.screen] })

/** Looks for the words of the list in a text, as it is done with what learners write. */
export const checkText = defineEndpoint<{ hits: Hit[]; verdict: string; version: number }>()({
  method: 'POST', path: `${item}_check`, summary: '检查一段文字', grant: [MANAGE_RIGHTS.screen], input: z.object({ text: z.string('请输入内容').check(z.minLength(1, '请输入内容'), z.maxLength(500, '最多 500 字')) }),
})
