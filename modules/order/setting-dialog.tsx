import { SettingOutlined } from '@ant-design/icons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Form, InputNumber } from 'antd'
import { useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { CallError } from '../../core/endpoint/wire.ts'
import type { Resource } from '../../core/resource/define.ts'
import { useCan } from '../../core/session/staff-context.tsx'
import { ActDialog } from './act-dialog.tsx'
import { orderEndpoints } from './calls.ts'
import { orderRight } from './flow.ts'
import { MoneyInput } from './inputs.tsx'
import type { OrderLine } from './line.ts'
import { PriceList } from './price-list.tsx'
import { settingSchema, type OrderSetting } from './setting.ts'

function SettingDialog({ line, orders, setting, onClose }: { line: OrderLine; orders: Resource; setting: OrderSetting; onClose: () => void }) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<{ sentence: string; fields: Readonly<Record<string, string>> }>()
  const save = async (values: OrderSetting): Promise<boolean> => {
    setBusy(true)
    try {
      await call(orderEndpoints(orders).putSetting, values, { quiet: true })
      void client.invalidateQueries({ queryKey: ['order-setting', orders.name] })
      void client.invalidateQueries({ queryKey: ['order-detail', orders.name] })
      return true
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setProblem({ sentence: error.message, fields: error.fields })
      return false
    } finally {
      setBusy(false)
    }
  }
  return (
    <ActDialog title={`${line.label}设置`} okText="保存" start={setting} schema={settingSchema} busy={busy} problem={problem} onSend={save} onClose={onClose}>
      <Form.Item name="refund_second_from" label="退款复核起点" required extra="达到这个金额的退款须由另一人复核"><MoneyInput /></Form.Item>
      {line.flow === 'audited' && <Form.Item name="approve_second_from" label="审核复核起点" required extra="达到这个金额的订单不能由录单人自己审核；0 表示一律由另一人审核"><MoneyInput /></Form.Item>}
      <Form.Item name="prices" label="标价" extra="没有标价的商品，录单须有「改价」权限"><PriceList line={line} /></Form.Item>
      <Form.Item name="unpaid_days" label="超时关闭" required extra="这么多天没有付款的订单自动关闭；0 表示不关闭"><InputNumber className="wide" min={0} max={365} precision={0} suffix="天" /></Form.Item>
    </ActDialog>
  )
}

/** 订单设置: from which amounts a second person is needed, and when unpaid orders are closed. */
export function SettingButton({ line, orders }: { line: OrderLine; orders: Resource }) {
  const can = useCan()
  const [open, setOpen] = useState(false)
  const may = can(orderRight(orders, 'setting'))
  const { data } = useQuery({ queryKey: ['order-setting', orders.name], queryFn: ({ signal }) => call(orderEndpoints(orders).getSetting, undefined, { signal }), enabled: may && open })
  if (!may) return null
  return (
    <>
      <Button icon={<SettingOutlined />} onClick={() => setOpen(true)}>订单设置</Button>
      {open && data && <SettingDialog line={line} orders={orders} setting={data} onClose={() => setOpen(false)} />}
    </>
  )
}
