import { choice, toggle } from '../../core/field/choice.ts'
import { image } from '../../core/field/file.ts'
import { computed } from '../../core/field/json.ts'
import { money, number } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { segment } from '../../core/field/segment.ts'
import { longText, text } from '../../core/field/text.ts'
import { date } from '../../core/field/time.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { book } from '../book/module.ts'
import { BASE, MATTER_RIGHTS } from './rights.ts'

/** Most pieces of anything: a number that the scale of a print never reaches. */
export const MOST = 10_000_000

/** What is printed or bought to be given away or sent: books, cards, gifts (domain 1.10). Its stock is the sum of its moves. */
export const matter = defineResource({
  name: 'matter',
  label: '物料',
  measure: '种',
  grant: MATTER_RIGHTS.screen,
  rights: MATTER_RIGHTS,
  api: api(BASE, 'matters', 'matter'),
  fields: {
    cover: image('图片'),
    name: text('名称', { required: true, max: 60, search: true }),
    sku: text('物料编码', { required: true, unique: true, max: 24, search: true, scanned: true, pattern: [/^[A-Za-z0-9-]{3,24}$/, '应为 3 到 24 位字母、数字或横线'], example: 'BK-SX-01' }),
    kind: choice('类别', [{ value: 'book', label: '图书' }, { value: 'card', label: '卡片' }, { value: 'gift', label: '礼品' }, { value: 'poster', label: '宣传品' }, { value: 'supply', label: '耗材' }], { required: true, initial: 'book' }),
    book_id: reference('对应图书', () => book, { help: '填写后，图书付印的册数计入在途，入库时可选印次' }),
    barcode: text('条码', { max: 20, search: true, scanned: true, pattern: [/^[0-9A-Za-z-]{4,20}$/, '应为 4 到 20 位字母或数字'], help: '扫码枪扫到的内容；对应图书的书号不用填' }),
    spec: text('规格', { max: 40, example: '16 开 128 页' }),
    unit: text('单位', { required: true, max: 4, initial: '册', example: '册' }),
    cost: money('成本单价'),
    lead_days: number('到货周期', { required: true, min: 1, max: 180, initial: 15, unit: '天', help: '从下单补货到入库' }),
    floor: number('安全库存', { required: true, max: MOST, initial: 0, help: '低于它就提醒补货，用量大时按预测提前提醒' }),
    kit_qty: number('每套物料含', { max: 1000, help: '合伙人和自习室订单里的「物料」每发一套，从发货仓扣减的数量；不随订单发出的不填' }),
    stock: number('库存', { readonly: true, initial: 0, audit: false, max: MOST * 10 }),
    transit: computed('在途'),
    daily: number('日均出库', { readonly: true, initial: 0, digits: 2, audit: false }),
    out_on: date('预计用完', { readonly: true, audit: false }),
    reorder_at: number('补货点', { readonly: true, initial: 0, audit: false, max: MOST * 10 }),
    value: computed('库存金额', 'money'),
    places: computed('分布', 'text'),
    needs: segment('待处理', [{ value: 'reorder', label: '该补货' }, { value: 'none', label: '已无库存' }, { value: 'coming', label: '有在途' }, { value: 'idle', label: '8 周没有出库' }]),
    remark: longText('备注', { max: 200 }),
    status: toggle('使用', { on: '启用', off: '停用' }),
  },
  list: {
    columns: ['name', 'cover', 'kind', 'stock', 'transit', 'daily', 'out_on', 'reorder_at', 'status', 'places', 'value', 'cost', 'book_id', 'barcode', 'spec', 'unit', 'floor', 'lead_days', 'kit_qty', 'remark', 'updated_at'],
    under: ['sku'],
    filters: ['needs', 'kind', 'book_id', 'stock', 'out_on', 'status', 'created_at'],
  },
  form: [
    { title: '物料', fields: ['name', 'sku', 'kind', 'book_id', 'barcode', 'spec', 'unit', 'cover'] },
    { title: '补货和发货', fields: ['cost', 'lead_days', 'floor', 'kit_qty', 'remark'] },
  ],
  import: { columns: ['name', 'sku', 'kind', 'barcode', 'spec', 'unit', 'cost', 'lead_days', 'floor', 'remark'], key: ['sku'] },
  pick: { offered: { status: 1 } },
  logged: [{ name: 'forecast', label: '更新预测' }],
  unscoped: { subject: 'What lies in a warehouse has no subject; a book is only where it came from.', level: 'What lies in a warehouse has no level; a book is only where it came from.' },
})
