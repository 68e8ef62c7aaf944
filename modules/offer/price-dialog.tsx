import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Form, InputNumber, Modal, Radio, Skeleton, Table } from 'antd'
import { useState, type ComponentType } from 'react'
import { call, request } from '../../core/endpoint/call.tsx'
import { formatMoney } from '../../core/field/number.ts'
import { standardId } from '../../core/grant/grant.ts'
import { ReasonItem } from '../../core/form/reason-item.tsx'
import { validated } from '../../core/form/validated.tsx'
import type { WireRow } from '../../core/resource/endpoints.ts'
import type { BulkProps } from '../../core/resource/present.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { useSaid } from '../../core/undo/use-said.tsx'
import { MOST_PRICED, offerEndpoints } from './calls.ts'
import { OFFER_STATE, type OfferResource } from './offer.ts'
import { asksSecond, newPrice, PRICE_WAYS, type PriceWay } from './price.ts'

type Row = WireRow<OfferResource>

interface Values {
  way: PriceWay
  value: number
  reason: string
}

/** 批量改价: every course with its price before and after, before anything is written. */
function PriceDialog({ offers, ids, many, onClose, onDone }: { offers: OfferResource; ids: readonly number[]; many: string; onClose: () => void; onDone: () => void }) {
  const said = useSaid()
  const [form] = Form.useForm<Values>()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const way = Form.useWatch('way', form) ?? 'set'
  const value = Form.useWatch('value', form)
  const { data, error } = useQuery({
    queryKey: ['priced', offers.name, ids], queryFn: ({ signal }) => request<Record<string, unknown>>('GET', offers.api.list, { ids, page_size: ids.length }, { signal, quiet: true }), staleTime: 0,
  })
  const rows = (data?.[offers.api.reply.items] ?? []) as Row[]
  const planned = rows.map((row) => ({ row, price: newPrice(way, value, row.price) }))
  const changed = planned.flatMap(({ row, price }) => (price === undefined || price === row.price ? [] : [{ row, price }]))
  const waits = changed.filter(({ row, price }) => asksSecond(row, price)).length
  const submit = async () => {
    const values = await validated(form)
    if (!values) return
    setBusy(true)
    setProblem(undefined)
    try {
      const { items, undo } = await call(offerEndpoints(offers).prices, { items: changed.map(({ row, price }) => ({ id: row.id, rev: row.rev, price })), reason: values.reason }, { quiet: true })
      const waiting = items.filter((item) => item.waits).length
      said({ words: `已改 ${items.length} 门课程的价格`, undo, ...(waiting > 0 && { note: `${waiting} 门待他人审核` }) })
      onDone()
      onClose()
    } catch (failure) {
      setProblem(failure instanceof Error ? failure.message : '改价失败')
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal open title={`批量改价：${many}`} width={680} okText={`改 ${changed.length} 门`} okButtonProps={{ disabled: changed.length === 0 }} confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} mask={{ closable: false }} destroyOnHidden>
      {(problem ?? error) && <Alert className="form-alert" type="error" showIcon title={problem ?? error?.message} role="alert" />}
      <Form<Values> form={form} layout="vertical" initialValues={{ way: 'set' }}>
        <Form.Item name="way" label="方式"><Radio.Group options={PRICE_WAYS.map(({ way: key, label }) => ({ value: key, label }))} /></Form.Item>
        <Form.Item name="value" label={PRICE_WAYS.find((one) => one.way === way)?.ask} rules={[{ required: true, message: '请填写' }]}><InputNumber className="wide" precision={2} min={way === 'add' ? -100_000 : 0} max={100_000} suffix={way === 'percent' ? '%' : '元'} /></Form.Item>
        {!data && !error ? <Skeleton active /> : (
          <Table size="small" rowKey={({ row }) => row.id} pagination={false} scroll={{ y: 240 }} dataSource={planned} columns={[
            { title: '课程', ellipsis: true, render: (_value, { row }) => row.title },
            { title: '原价', width: 110, align: 'right', render: (_value, { row }) => formatMoney(row.price) },
            { title: '新价', width: 110, align: 'right', render: (_value, { row, price }) => (price === undefined || price === row.price ? '不变' : formatMoney(price)) },
            { title: '', width: 120, render: (_value, { row, price }) => (row.state === OFFER_STATE.waiting || row.state === OFFER_STATE.archived ? '不能改' : price !== undefined && asksSecond(row, price) ? '须他人审核' : price === 0 && row.price > 0 ? '0 元' : '') },
          ]} />
        )}
        {waits > 0 && <Alert className="form-alert" type="warning" showIcon title={`${waits} 门降价超过一半，改后暂停销售，由他人审核通过再上架`} />}
        <ReasonItem />
      </Form>
    </Modal>
  )
}

/** The button of 批量改价 beside the other actions on the selected courses. */
export function bulkPrices(offers: OfferResource): ComponentType<BulkProps> {
  return function BulkPrices({ selected, query, many, onDone }) {
    const can = useCan()
    const [shown, setShown] = useState(false)
    // Every price is looked at before it is set, so those are chosen one by one.
    if (!can(standardId(offers.grant, 'edit')) || query || selected.length > MOST_PRICED) return null
    return (
      <>
        <Button size="small" onClick={() => setShown(true)}>批量改价</Button>
        {shown && <PriceDialog offers={offers} ids={selected} many={many} onClose={() => setShown(false)} onDone={onDone} />}
      </>
    )
  }
}
