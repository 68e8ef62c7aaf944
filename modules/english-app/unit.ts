import { computed } from '../../core/field/json.ts'
import { number } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { text } from '../../core/field/text.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { screenId } from '../screens.ts'
import { englishTextbook } from './line.ts'
import { ENGLISH_API } from './row.ts'

/** Units of a textbook, each with its words. The list shows what they still lack. */
export const englishUnit = defineResource({
  name: 'english_unit',
  label: '单元词表',
  measure: '个',
  grant: screenId('/englishApp/detail'),
  api: api(ENGLISH_API, 'units', 'units'),
  fields: {
    textbook_id: reference('教材', () => englishTextbook, { required: true, createOnly: true }),
    no: number('序号', { required: true, min: 1, max: 99 }),
    name: text('单元名称', { required: true, max: 60, search: true, example: 'Unit 1 Hello!' }),
    word_cnt: computed('单词数'),
    no_phonetics: computed('缺音标'),
    no_ipa: computed('音标待核'),
    no_uk: computed('缺英音'),
    no_us: computed('缺美音'),
    no_image: computed('缺图'),
    no_sentence: computed('缺例句'),
    no_sentence_audio: computed('缺例句音'),
  },
  list: {
    columns: ['name', 'textbook_id', 'word_cnt', 'no_phonetics', 'no_ipa', 'no_uk', 'no_us', 'no_image', 'no_sentence', 'no_sentence_audio', 'no', 'updated_at'], under: ['textbook_id'],
    filters: ['textbook_id', 'created_at'], sort: 'no',
  },
  form: [{ fields: ['textbook_id', 'no', 'name'] }],
  unique: [['textbook_id', 'name']],
  scope: { subject: 'textbook_id.subject_id', level: 'textbook_id.subject_id.level' },
})
