import { choice, toggle } from '../../core/field/choice.ts'
import { computed } from '../../core/field/json.ts'
import { mobile } from '../../core/field/mobile.ts'
import { reference } from '../../core/field/reference.ts'
import { region } from '../../core/field/region.ts'
import { longText, text } from '../../core/field/text.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { staff } from '../staff/module.ts'
import { BASE, MATTER_RIGHTS } from './rights.ts'

/** A place where matters lie. */
export const warehouse = defineResource({
  name: 'warehouse',
  label: '仓库',
  grant: MATTER_RIGHTS.screen,
  rights: MATTER_RIGHTS,
  api: api(BASE, 'warehouses', 'warehouse'),
  fields: {
    name: text('仓库名称', { required: true, max: 30, search: true, unique: true }),
    region_code: region('所在地区'),
    address: text('详细地址', { max: 100 }),
    keeper_id: reference('管理员', () => staff, { onRemove: 'keep' }),
    phone: mobile('联系电话'),
    // Parcels of orders leave from the one that says so.
    ships: choice('随订单发货', [{ value: 1, label: '是' }, { value: 0, label: '否' }], { required: true, readonly: true, initial: 0 }),
    sort_cnt: computed('物料种类'),
    total: computed('库存件数'),
    cost: computed('库存金额', 'money'),
    remark: longText('备注', { max: 200 }),
    status: toggle('使用', { on: '启用', off: '停用' }),
  },
  list: {
    columns: ['name', 'status', 'ships', 'sort_cnt', 'total', 'cost', 'keeper_id', 'phone', 'region_code', 'address', 'remark', 'updated_at'],
    filters: ['status', 'ships', 'region_code', 'keeper_id'],
    sort: 'id',
  },
  form: [{ title: '仓库', fields: ['name', 'region_code', 'address', 'keeper_id', 'phone', 'remark'] }],
  transitions: [{ name: 'ship_here', label: '设为发货仓', field: 'ships', from: [0], to: 1, right: 'move', confirm: '订单录入运单时改从该仓扣减，原来的发货仓不再扣减。', instead: '设错了，把原来的仓库设为发货仓' }],
  policies: [{ of: ['ship_here'], policy: 'while', field: 'status', values: [1], why: '仓库已停用' }],
  pick: { offered: { status: 1 } },
})
