import { useQuery } from '@tanstack/react-query'
import { Alert, Form, Modal, Segmented, Select } from 'antd'
import { useState } from 'react'
import { call } from '../endpoint/call.tsx'
import { CARD_DAYS, cardKey, trendOffers, USUAL_DAYS, type CardDays } from '../module/dashboard.ts'

const DAYS = Object.entries(CARD_DAYS).map(([days, label]) => ({ value: Number(days) as CardDays, label }))

/** Chooses a figure for home among those whose lists the person may see. */
export function AddFigure({ there, onClose, onAdd }: { there: readonly string[]; onClose: () => void; onAdd: (key: string) => void }) {
  const [name, setName] = useState<string>()
  const [days, setDays] = useState<CardDays>(USUAL_DAYS)
  const { data, error, isPending } = useQuery({ queryKey: ['trend-offers'], queryFn: ({ signal }) => call(trendOffers, undefined, { signal, quiet: true }) })
  const key = name === undefined ? undefined : cardKey({ name, days })
  const known = key !== undefined && there.includes(key)
  const add = () => {
    if (key === undefined || known) return
    onAdd(key)
    onClose()
  }
  return (
    <Modal open title="添加指标" okText="添加" okButtonProps={{ disabled: key === undefined || known }} onOk={add} onCancel={onClose} width={480}>
      {error && <Alert className="form-alert" type="error" showIcon role="alert" title={error.message} />}
      <Form layout="vertical" component="div">
        <Form.Item label="指标" htmlFor="figure-name" extra="只列出您有权查看的列表的指标" {...(known && { validateStatus: 'error' as const, help: '首页已有这个指标' })}>
          <Select id="figure-name" showSearch={{ optionFilterProp: 'label' }} loading={isPending} placeholder="输入名称查找" value={name} onChange={setName} options={(data?.items ?? []).map(({ name: value, title }) => ({ value, label: title }))} notFoundContent="没有匹配的指标" />
        </Form.Item>
        <Form.Item label="时间"><Segmented aria-label="时间" value={days} onChange={setDays} options={DAYS} /></Form.Item>
      </Form>
    </Modal>
  )
}
