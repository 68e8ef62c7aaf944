import { useQuery, useQueryClient } from '@tanstack/react-query'
import { App, Button, Drawer, Form, Input, Modal, Skeleton } from 'antd'
import { useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { Picker } from '../../core/field/reference.tsx'
import { ReasonItem } from '../../core/form/reason-item.tsx'
import { validated } from '../../core/form/validated.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { useWide } from '../../core/ui/use-media.tsx'
import { agent } from '../agent/module.ts'
import { useSend } from '../user/door.tsx'
import { attribute, explainOrder } from './calls.ts'
import { OrderCommission } from './explain-view.tsx'
import { EARNING_RIGHTS } from './plan.ts'

/** 改归属: the order is another agent's, or nobody's. */
function Attribute({ orderId, onDone, onClose }: { orderId: number; onDone: () => void; onClose: () => void }) {
  const { message } = App.useApp()
  const [form] = Form.useForm<{ agent_id?: number; reason: string }>()
  const chosen = Form.useWatch('agent_id', form)
  const { busy, problem, send } = useSend(form)
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    await call(attribute, { order_id: orderId, agent_id: values.agent_id ?? null, reason: values.reason }, { quiet: true, keepEmpty: true })
    void message.success('归属已修改，佣金已重新计算')
    onDone()
    onClose()
  })
  return (
    <Modal open title="改归属" okText="修改" confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} mask={{ closable: false }} destroyOnHidden>
      {problem}
      <Form form={form} layout="vertical">
        <Form.Item name="agent_id" label="归属代理" extra="不选表示该订单不归任何代理；已计的佣金会冲回，再按新归属计算">
          <Picker target={agent} id="agent_id" label="代理" narrow={{ status: '1' }} value={chosen} onChange={(next) => form.setFieldValue('agent_id', next ?? undefined)} />
        </Form.Item>
        <ReasonItem />
      </Form>
    </Modal>
  )
}

/** 查订单佣金: who earns what of an order and how that is worked out, or why nobody earns. */
export function OrderDialog() {
  const can = useCan()
  const wide = useWide('md')
  const client = useQueryClient()
  const [no, setNo] = useState<string>()
  const [changing, setChanging] = useState(false)
  const { data, error } = useQuery({ queryKey: ['order-commission', no], queryFn: ({ signal }) => call(explainOrder, { order_no: no ?? '' }, { signal, quiet: true }), enabled: no !== undefined, staleTime: 0 })
  const again = () => { void client.invalidateQueries({ queryKey: ['order-commission'] }); void client.invalidateQueries({ queryKey: ['list'] }) }
  return (
    <>
      <Input.Search allowClear placeholder="按订单号查佣金" aria-label="按订单号查佣金" onSearch={(text) => { if (text.trim()) setNo(text.trim()) }} />
      <Drawer open={no !== undefined} size={wide ? 760 : '100%'} title={`订单佣金 · ${no ?? ''}`} onClose={() => setNo(undefined)} destroyOnHidden
        extra={data?.order && can(EARNING_RIGHTS.id('attribute')) ? <Button onClick={() => setChanging(true)}>改归属</Button> : null}>
        {error ? <p role="alert">{error.message}</p> : data ? <OrderCommission {...data} /> : <Skeleton active />}
        {changing && data?.order && <Attribute orderId={data.order.id} onDone={again} onClose={() => setChanging(false)} />}
      </Drawer>
    </>
  )
}
