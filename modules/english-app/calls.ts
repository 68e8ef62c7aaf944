import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { standardId } from '../../core/grant/grant.ts'
import { HEADWORD, PARTS_OF_SPEECH, WORD_LEVELS, englishWord } from './word.ts'

/** Most words that are put in at once. */
export const MOST_WORDS = 200

const text = (label: string, max: number) => z.optional(z.string(`${label}应为文字`).check(z.trim(), z.maxLength(max, `${label}最多 ${max} 个字`)))

/** One row of the table in which a unit's words are put in. */
const row = z.object({
  headword: z.string('请填写单词').check(z.trim(), z.minLength(1, '请填写单词'), z.maxLength(60, '单词最多 60 个字符'), z.regex(HEADWORD, '应为英文单词或短语')),
  pos: z.optional(z.enum(PARTS_OF_SPEECH.map(({ value }) => value), '词性不正确')),
  cn: z.string('请填写中文释义').check(z.trim(), z.minLength(1, '请填写中文释义'), z.maxLength(60, '释义最多 60 个字')),
  uk: text('英式音标', 80),
  us: text('美式音标', 80),
  level: z.optional(z.union(WORD_LEVELS.map(({ value }) => z.literal(value)), '要求不正确')),
  sentence: text('例句', 200),
  sentence_cn: text('例句译文', 200),
})

/** Puts in the words of a unit, all of them or none; what is wrong is said row by row. */
export const addWords = defineEndpoint<{ added: number }>()({
  method: 'POST', path: `${englishWord.api.list}/batch`, summary: '表格录入单词', back: { instead: '录错了，删除录入的单词' }, grant: [standardId(englishWord.grant, 'edit')],
  input: z.object({ unit_id: z.int('请选择单元').check(z.gte(1, '请选择单元')), words: z.array(row, '请填写单词').check(z.minLength(1, '请填写单词'), z.maxLength(MOST_WORDS, `一次最多 ${MOST_WORDS} 个单词`)) }),
})
