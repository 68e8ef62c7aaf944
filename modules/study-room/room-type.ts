import { money, number } from '../../core/field/number.ts'
import { longText, text } from '../../core/field/text.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { screenId } from '../screens.ts'
import { BASE } from './api.ts'

/**
 * Kinds of study room with what each costs (spec 3: desc, service_fee, exchange_service_fee, pad_cnt by type).
 * `common` 线下自习室, `gaosi` 高思, `lesson_class` 课程班; rows are data, so a further kind needs no code.
 */
export const roomType = defineResource({
  name: 'room_type',
  label: '自习室类型',
  title: 'desc',
  grant: screenId('/new-study-room/partner'),
  api: api(BASE, 'room_types', 'room_type'),
  fields: {
    type: text('类型标识', { required: true, max: 30, unique: true, createOnly: true, pattern: [/^[a-z][a-z0-9_]*$/, '只能用小写字母、数字和下划线'] }),
    desc: text('名称', { required: true, max: 30 }),
    service_fee: money('服务费', { required: true, initial: 0 }),
    exchange_service_fee: money('置换服务费', { required: true, initial: 0, help: '用未使用的旧授权码换新码时收取' }),
    pad_cnt: number('平板数', { required: true, max: 10_000, initial: 0 }),
    remark: longText('备注'),
  },
  list: { columns: ['type', 'desc', 'service_fee', 'exchange_service_fee', 'pad_cnt', 'updated_at'], filters: [], sort: 'id' },
})
