import { choice } from '../../core/field/choice.ts'
import { money } from '../../core/field/number.ts'
import { longText, text } from '../../core/field/text.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { screenId } from '../screens.ts'

/** Where users and orders come from (domain 2.2). Kept by those who keep the agents. */
export const channel = defineResource({
  name: 'channel',
  label: '渠道',
  grant: screenId('/distribution/account/proxy'),
  api: api('/daoyuan/api/end', 'channels', 'channels'),
  fields: {
    name: text('渠道名称', { required: true, max: 30, unique: true, search: true }),
    kind: choice('类型', [
      { value: 1, label: '自然流量' }, { value: 2, label: '线上投放' }, { value: 3, label: '图书扫码' },
      { value: 4, label: '线下地推' }, { value: 5, label: '合作机构' }, { value: 6, label: '老用户推荐' },
    ], { required: true }),
    cost: money('单个用户成本', { initial: 0 }),
    remark: longText('备注'),
  },
  list: { columns: ['name', 'kind', 'cost', 'remark', 'updated_at'], filters: ['kind'], sort: 'id' },
})
