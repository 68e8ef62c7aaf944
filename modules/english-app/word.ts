import { choice } from '../../core/field/choice.ts'
import { file, image } from '../../core/field/file.ts'
import { group } from '../../core/field/group.ts'
import { computed, json, tags } from '../../core/field/json.ts'
import { sortOrder } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { segment } from '../../core/field/segment.ts'
import { text } from '../../core/field/text.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { UPLOAD_KINDS } from '../../core/file/kinds.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { screenId } from '../screens.ts'
import { IPA_PATTERN } from './ipa.ts'
import { englishTextbook } from './line.ts'
import { ENGLISH_API } from './row.ts'
import { sentencesSchema } from './sentence.ts'
import { englishUnit } from './unit.ts'

const GRANT = screenId('/englishApp/detail')

export const PARTS_OF_SPEECH = [
  { value: 'n', label: 'n.' }, { value: 'v', label: 'v.' }, { value: 'adj', label: 'adj.' }, { value: 'adv', label: 'adv.' }, { value: 'pron', label: 'pron.' }, { value: 'prep', label: 'prep.' },
  { value: 'num', label: 'num.' }, { value: 'conj', label: 'conj.' }, { value: 'art', label: 'art.' }, { value: 'int', label: 'int.' }, { value: 'phr', label: 'phr.' },
] as const

const FORMS = [
  { value: 'plural', label: '复数' }, { value: 'third', label: '第三人称单数' }, { value: 'past', label: '过去式' }, { value: 'done', label: '过去分词' }, { value: 'ing', label: '现在分词' },
  { value: 'more', label: '比较级' }, { value: 'most', label: '最高级' },
] as const

/** What a textbook asks of a word. */
export const WORD_LEVELS = [{ value: 1, label: '会读' }, { value: 2, label: '会写' }] as const

/** Whether a person has confirmed the phonetics. */
export const IPA_STATE = { open: 1, checked: 2 } as const
export const IPA_STATES = [{ value: IPA_STATE.open, label: '音标待核', tone: 'warning' }, { value: IPA_STATE.checked, label: '音标已核', tone: 'success' }] as const

/** Words and phrases as textbooks print them. */
export const HEADWORD = /^[A-Za-z][A-Za-z .'!?,/()…-]*$/

/** Longest recording of a word: 5 MB. */
const sound = (label: string) => file(label, { accept: UPLOAD_KINDS.audio.accept, maxBytes: 5 * 1024 * 1024 })
const ipa = (label: string) => text(label, { max: 80, pattern: [IPA_PATTERN, '只能用 48 个音标、重音符号和空格'], example: 'ˈæpl' })

/** Words of a unit (domain 1.4): meanings, phonetics that a person confirms, recordings, sentences that hold them. */
export const englishWord = defineResource({
  name: 'english_word',
  label: '单词',
  title: 'headword',
  grant: GRANT,
  rights: defineRights(GRANT, { check: [11, '核对音标'] }),
  api: api(ENGLISH_API, 'words', 'words'),
  fields: {
    headword: text('单词', { required: true, max: 60, search: true, pattern: [HEADWORD, '应为英文单词或短语'], example: 'apple' }),
    /** Words of the list at the end of a book are of no unit. */
    textbook_id: reference('教材', () => englishTextbook, { required: true, createOnly: true }),
    unit_id: reference('单元', () => englishUnit, { within: { textbook_id: 'textbook_id' } }),
    kind: choice('类型', [{ value: 'word', label: '单词' }, { value: 'phrase', label: '短语' }], { required: true, initial: 'word' }),
    level: choice('要求', WORD_LEVELS),
    meanings: group('释义', { pos: choice('词性', PARTS_OF_SPEECH), cn: text('中文', { required: true, max: 60 }) }, { required: true, max: 8 }),
    uk: ipa('英式音标'),
    us: ipa('美式音标'),
    /** Symbols of the British phonetics. */
    sounds: tags('音素', { readonly: true, initial: [], audit: false }),
    syllables: text('音节', { max: 80, example: 'ap·ple' }),
    uk_audio: sound('英式发音'),
    us_audio: sound('美式发音'),
    audio_source: choice('发音来源', [{ value: 1, label: '真人' }, { value: 2, label: '合成' }]),
    image: image('图片'),
    sentences: json('例句', sentencesSchema, { initial: [] }),
    forms: group('词形', { kind: choice('形式', FORMS, { required: true }), value: text('写法', { required: true, max: 60 }) }, { max: 8 }),
    phrases: group('搭配', { en: text('英文', { required: true, max: 80 }), cn: text('中文', { max: 80 }) }, { max: 12 }),
    tip: text('记忆提示', { max: 120 }),
    twins: computed('同词条'),
    lacks: segment('缺什么', [
      { value: 'ipa', label: '缺音标' }, { value: 'uk_audio', label: '缺英音' }, { value: 'us_audio', label: '缺美音' }, { value: 'image', label: '缺图' }, { value: 'sentence', label: '缺例句' }, { value: 'sentence_audio', label: '缺例句音' },
    ]),
    sort: sortOrder(),
    state: choice('音标核对', IPA_STATES, { readonly: true, initial: IPA_STATE.open }),
  },
  list: {
    columns: ['headword', 'unit_id', 'meanings', 'uk', 'us', 'level', 'state', 'uk_audio', 'us_audio', 'image', 'twins', 'textbook_id', 'kind', 'syllables', 'sounds', 'forms', 'phrases', 'tip', 'audio_source', 'sort', 'updated_at'],
    filters: ['state', 'textbook_id', 'unit_id', 'lacks', 'level', 'sounds', 'kind', 'audio_source', 'created_at'], sort: 'id',
  },
  form: [
    { title: '单词', fields: ['headword', 'textbook_id', 'unit_id', 'kind', 'level', 'meanings'] },
    { title: '读音', fields: ['uk', 'us', 'syllables', 'uk_audio', 'us_audio', 'audio_source'] },
    { title: '例句和记忆', fields: ['sentences', 'image', 'forms', 'phrases', 'tip', 'sort'] },
  ],
  import: { columns: ['textbook_id', 'unit_id', 'headword', 'kind', 'level', 'meanings', 'uk', 'us', 'syllables'], key: ['textbook_id', 'unit_id', 'headword'] },
  transitions: [
    { name: 'confirm', label: '音标无误', field: 'state', from: [IPA_STATE.open], to: IPA_STATE.checked, right: 'check' },
    { name: 'reopen', label: '退回待核', field: 'state', from: [IPA_STATE.checked], to: IPA_STATE.open, right: 'check' },
  ],
  logged: [{ name: 'add_words', label: '表格录入' }, { name: 'confirm_phonetics', label: '核对音标' }, { name: 'put_recordings', label: '整段录音分配' }],
  unique: [['textbook_id', 'unit_id', 'headword']],
  indexes: [['headword', 'id']],
  scope: { subject: 'textbook_id.subject_id', level: 'textbook_id.subject_id.level' },
})
