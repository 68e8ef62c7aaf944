import { toggle } from '../../core/field/choice.ts'
import { file, image } from '../../core/field/file.ts'
import { computed, json } from '../../core/field/json.ts'
import { number } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { text } from '../../core/field/text.ts'
import { UPLOAD_KINDS } from '../../core/file/kinds.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { screenId } from '../screens.ts'
import { englishTextbook } from './line.ts'
import { regionsSchema } from './region.ts'
import { ENGLISH_API } from './row.ts'
import { englishUnit } from './unit.ts'

/** Printed pages on which learners point at what they want to hear: regions of the picture with pieces of the page's recording. */
export const englishPage = defineResource({
  name: 'english_page',
  label: '点读页',
  measure: '页',
  grant: screenId('/englishApp/detail'),
  api: api(ENGLISH_API, 'pages', 'pages'),
  fields: {
    name: text('页面名称', { required: true, max: 40, search: true, example: 'Unit 1 第 4 页' }),
    textbook_id: reference('教材', () => englishTextbook, { required: true, createOnly: true }),
    unit_id: reference('单元', () => englishUnit, { within: { textbook_id: 'textbook_id' } }),
    no: number('页码', { required: true, min: 1, max: 400 }),
    image: image('页面图片', { required: true }),
    audio: file('整页录音', { accept: UPLOAD_KINDS.audio.accept, maxBytes: 20 * 1024 * 1024 }),
    regions: json('点读区域', regionsSchema, { initial: [] }),
    region_cnt: computed('区域数'),
    silent_cnt: computed('未配音'),
    status: toggle('状态', { on: '启用', off: '停用' }, { required: true, initial: 1 }),
  },
  list: {
    columns: ['image', 'name', 'unit_id', 'no', 'region_cnt', 'silent_cnt', 'audio', 'status', 'textbook_id', 'updated_at'], under: ['unit_id'],
    filters: ['textbook_id', 'unit_id', 'status', 'created_at'], sort: 'no',
  },
  form: [{ fields: ['name', 'textbook_id', 'unit_id', 'no', 'image', 'audio', 'status'] }],
  unique: [['textbook_id', 'name']],
  scope: { subject: 'textbook_id.subject_id', level: 'textbook_id.subject_id.level' },
})
