import { choice, toggle } from '../../core/field/choice.ts'
import { file, image, video } from '../../core/field/file.ts'
import { group } from '../../core/field/group.ts'
import { computed, tags } from '../../core/field/json.ts'
import { sortOrder } from '../../core/field/number.ts'
import { segment } from '../../core/field/segment.ts'
import { longText, text } from '../../core/field/text.ts'
import { UPLOAD_KINDS } from '../../core/file/kinds.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { screenId } from '../screens.ts'
import { SOUND_KINDS } from './ipa.ts'
import { ENGLISH_API } from './row.ts'

/**
 * The 48 phonograms (domain 1.4): how each is said and heard, and the words that differ by it alone. They come with the product,
 * so that none is missing and none is written in two ways; what teaches them is edited.
 */
export const phonogram = defineResource({
  name: 'phonogram',
  label: '音标',
  title: 'symbol',
  grant: screenId('/englishApp/phonogram'),
  api: api(ENGLISH_API, 'phonograms', 'phonograms'),
  fields: {
    symbol: text('音标', { required: true, readonly: true, max: 20, unique: true, search: true }),
    kind: choice('类别', SOUND_KINDS, { required: true, readonly: true }),
    letters: tags('常见字母组合'),
    examples: tags('示例词'),
    pairs: group('最小对立体', { word: text('本音', { required: true, max: 30 }), other: text('对照词', { required: true, max: 30 }), sound: text('对照音标', { max: 8 }) }, { max: 12 }),
    tips: longText('发音要领', { max: 300 }),
    mouth: image('口型图'),
    audio: file('发音', { accept: UPLOAD_KINDS.audio.accept, maxBytes: 5 * 1024 * 1024 }),
    video: video('口型视频'),
    word_cnt: computed('单词数'),
    practice_cnt: computed('练习处'),
    needs: segment('待完善', [{ value: 'audio', label: '缺发音' }, { value: 'mouth', label: '缺口型图' }, { value: 'pairs', label: '缺对立体' }, { value: 'practice', label: '没有练习' }]),
    sort: sortOrder(),
    status: toggle('状态', { on: '启用', off: '停用' }, { required: true, initial: 1 }),
  },
  list: {
    columns: ['symbol', 'kind', 'letters', 'examples', 'pairs', 'word_cnt', 'practice_cnt', 'audio', 'mouth', 'status', 'tips', 'video', 'sort', 'updated_at'],
    filters: ['kind', 'needs', 'status'], sort: 'sort',
  },
  form: [
    { title: '怎么读', fields: ['tips', 'audio', 'mouth', 'video'] },
    { title: '怎么练', fields: ['letters', 'examples', 'pairs', 'status', 'sort'] },
  ],
  without: ['create', 'remove'],
})
