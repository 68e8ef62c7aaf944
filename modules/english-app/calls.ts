import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { standardId } from '../../core/grant/grant.ts'
import { IPA_PATTERN } from './ipa.ts'
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

/** Where proposed phonetics come from, as people read it. */
export const IPA_SOURCES = { dictionary: '词典', parts: '按词典拼合', letters: '逐字母', rules: '拼读规则' } as const

/** Phonetics that are proposed for a word, most likely first. */
export interface Proposal {
  readonly source: keyof typeof IPA_SOURCES
  readonly uk: readonly string[]
  readonly us: readonly string[]
}

/** A word whose phonetics nobody has confirmed yet, with what is proposed. */
export interface ProposedWord {
  id: number
  rev: number
  headword: string
  cn: string
  /** What stands there now. */
  uk: string | null
  us: string | null
  proposal: Proposal
}

const queryId = z.string('编号有误').check(z.regex(/^\d{1,15}$/, '编号有误'))
const id = z.int('编号有误').check(z.gte(1, '编号有误'))
const phonetics = (label: string) => z.string(`请填写${label}`).check(z.trim(), z.minLength(1, `请填写${label}`), z.maxLength(80, `${label}最多 80 个字符`), z.regex(IPA_PATTERN, `${label}只能用 48 个音标、重音符号和空格`))

/** Words of a unit, or a single word, that wait for phonetics, with what dictionary and spelling propose. Nothing is written by it. */
export const proposePhonetics = defineEndpoint<{ items: ProposedWord[]; total: number }>()({
  method: 'GET', path: `${englishWord.api.list}/proposals`, summary: '音标建议', grant: [englishWord.grant],
  input: z.object({ unit_id: z.optional(queryId), word_id: z.optional(queryId) }).check(z.refine(({ unit_id, word_id }) => unit_id !== undefined || word_id !== undefined, '请选择单元或单词')),
})

/** Writes the phonetics that a person has looked at, and confirms them: all of them or none. */
export const confirmPhonetics = defineEndpoint<{ confirmed: number; undo?: number }>()({
  method: 'POST', path: `${englishWord.api.list}/phonetics`, summary: '确认音标', back: 'undo', grant: [englishWord.rights.id('check')],
  input: z.object({ words: z.array(z.object({ id, rev: z.int('版本有误'), uk: phonetics('英式音标'), us: phonetics('美式音标') }), '请选择单词').check(z.minLength(1, '请选择单词'), z.maxLength(MOST_WORDS, `一次最多 ${MOST_WORDS} 个单词`)) }),
})

/** Ways of speaking that a long recording has. */
export const ACCENTS = [{ value: 'uk', label: '英音' }, { value: 'us', label: '美音' }] as const
export type Accent = (typeof ACCENTS)[number]['value']

/** Gives words the pieces into which one recording was cut: all of them or none. */
export const putRecordings = defineEndpoint<{ given: number; undo?: number }>()({
  method: 'POST', path: `${englishWord.api.list}/recordings`, summary: '整段录音分配到单词', back: 'undo', grant: [standardId(englishWord.grant, 'edit')],
  input: z.object({
    accent: z.enum(ACCENTS.map(({ value }) => value), '请选择英音或美音'),
    words: z.array(z.object({ id, rev: z.int('版本有误'), url: z.string('录音有误').check(z.minLength(1, '录音有误'), z.maxLength(200, '录音有误')) }), '请选择单词').check(z.minLength(1, '请选择单词'), z.maxLength(MOST_WORDS, `一次最多 ${MOST_WORDS} 个单词`)),
  }),
})
