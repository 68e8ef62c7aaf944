import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Col, Row, Statistic, Table } from 'antd'
import { useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { formatMoney } from '../../core/field/number.ts'
import { FormField } from '../../core/record/form-field.tsx'
import { present, type FormLayoutProps } from '../../core/resource/present.tsx'
import { tryRate, type Trial } from './calls.ts'
import { ratePlan } from './plan.ts'

type Values = FormLayoutProps<NonNullable<(typeof ratePlan)['types']>['shape']>['values']

const sum = ({ first, second }: Trial['before']) => first + second

/** 试算: what the rates would have meant for what was sold lately, before they are saved. */
function TrialResult({ values }: { values: Values }) {
  const { line, level, first, second } = values
  const input = { line: String(line), level: Number(level), first: Number(first), second: Number(second) }
  const { data, error, isFetching } = useQuery({ queryKey: ['rate-trial', input], queryFn: ({ signal }) => call(tryRate, input, { signal, quiet: true }), staleTime: 0 })
  if (error) return <Alert type="error" showIcon title={error.message} />
  if (!data) return <p>{isFetching ? '试算中…' : ''}</p>
  return (
    <>
      <p>最近 {data.days} 天的 {data.orders} 笔订单，按新费率：</p>
      <Row gutter={16}>
        <Col span={8}><Statistic title="已计佣金" value={formatMoney(sum(data.before))} /></Col>
        <Col span={8}><Statistic title="试算佣金" value={formatMoney(sum(data.after))} /></Col>
        <Col span={8}><Statistic title="相差" value={formatMoney(sum(data.after) - sum(data.before))} /></Col>
      </Row>
      {data.agents.length > 0 && <Table size="small" rowKey="id" pagination={false} scroll={{ y: 220 }} dataSource={data.agents} columns={[
        { title: '代理', dataIndex: 'name' },
        { title: '已计', align: 'right', dataIndex: 'before', render: formatMoney },
        { title: '试算', align: 'right', dataIndex: 'after', render: formatMoney },
        { title: '相差', align: 'right', render: (_value, { before, after }) => formatMoney(after - before) },
      ]} />}
    </>
  )
}

/** A new rate, with its trial beside it. */
function PlanForm({ values }: FormLayoutProps<NonNullable<(typeof ratePlan)['types']>['shape']>) {
  const [tried, setTried] = useState<Values>()
  const ready = [values.line, values.level, values.first, values.second].every((value) => value !== undefined && value !== null)
  return (
    <>
      <FormField name="name" /><FormField name="line" /><FormField name="level" />
      <FormField name="first" /><FormField name="second" />
      <FormField name="hold_days" /><FormField name="valid_from" />
      <Button disabled={!ready} onClick={() => setTried(values)}>试算</Button>
      {tried && <TrialResult values={tried} />}
    </>
  )
}

export default present(ratePlan)({
  form: PlanForm,
  cells: {
    first: ({ value }) => `${value ?? 0}%`,
    second: ({ value }) => `${value ?? 0}%`,
  },
})
