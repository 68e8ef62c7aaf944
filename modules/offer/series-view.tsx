import { ArrowDownOutlined, ArrowUpOutlined, CloseOutlined, PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Empty, Input, Modal, Skeleton } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { choiceLabel } from '../../core/field/choice.ts'
import { formatMoney } from '../../core/field/number.ts'
import { useCloseGuard } from '../../core/form/close-guard.tsx'
import { standardId } from '../../core/grant/grant.ts'
import { present, type Presentation, type RowDialogProps } from '../../core/resource/present.tsx'
import { seriesEndpoints, type Arranged } from './calls.ts'
import { withQuery } from './line-path.ts'
import { OFFER_STATE, OFFER_STATES } from './offer.ts'
import type { SeriesResource } from './series.ts'
import './offer.css'

const facts = ({ price, state }: Arranged) => `${formatMoney(price)}${state === OFFER_STATE.selling ? '' : ` · ${choiceLabel(OFFER_STATES, state)}`}`

/** A list with one of its entries a place further up or down. */
function moved(ids: readonly number[], at: number, by: 1 | -1): number[] {
  const next = [...ids]
  const [one] = next.splice(at, 1)
  if (one !== undefined) next.splice(at + by, 0, one)
  return next
}

/** 管理课程: which courses a series shows, and in which order. */
function ArrangeDialog({ series, row, reload, onClose }: RowDialogProps<SeriesResource> & { series: SeriesResource }) {
  const { message } = App.useApp()
  const endpoints = seriesEndpoints(series)
  const [ids, setIds] = useState<readonly number[]>()
  const [words, setWords] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const { data, error } = useQuery({ queryKey: ['arranged', series.name, row.id], queryFn: ({ signal }) => call(endpoints.arranged, undefined, { params: { id: row.id }, signal, quiet: true }), staleTime: 0 })
  const all = new Map(data?.items.map((one) => [one.id, one]))
  const chosen = ids ?? data?.items.filter((one) => one.chosen).map(({ id }) => id) ?? []
  const close = useCloseGuard(ids !== undefined, `${row.name}的课程`, onClose)
  const rest = [...all.values()].filter(({ id, title }) => !chosen.includes(id) && title.includes(words.trim()))
  const prices = chosen.flatMap((id) => { const one = all.get(id); return one?.state === OFFER_STATE.selling ? [one.price] : [] })
  const save = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      await call(endpoints.arrange, { offer_ids: [...chosen] }, { params: { id: row.id }, quiet: true })
      void message.success('保存成功')
      reload()
      onClose()
    } catch (failure) {
      setProblem(failure instanceof Error ? failure.message : '保存失败')
      setBusy(false)
    }
  }
  return (
    <Modal open title={`管理课程 · ${row.name}`} width={860} okText="保存" okButtonProps={{ disabled: ids === undefined }} confirmLoading={busy} onOk={() => void save()} onCancel={close} mask={{ closable: false }}>
      {(problem ?? error) && <Alert className="form-alert" type="error" showIcon title={problem ?? error?.message} role="alert" />}
      {!data && !error ? <Skeleton active /> : (
        <div className="arrange">
          <section aria-label="系列中的课程">
            <strong>系列中 {chosen.length} 门{prices.length > 0 && `，起售价 ${formatMoney(Math.min(...prices))}`}</strong>
            {chosen.length === 0 ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有课程，从右边加入" /> : (
              <ul>
                {chosen.map((id, at) => {
                  const one = all.get(id)
                  return one && (
                    <li key={id}>
                      <span title={one.title}>{one.title}</span><span className="note">{facts(one)}</span>
                      <Button type="text" size="small" icon={<ArrowUpOutlined />} aria-label={`上移 ${one.title}`} disabled={at === 0} onClick={() => setIds(moved(chosen, at, -1))} />
                      <Button type="text" size="small" icon={<ArrowDownOutlined />} aria-label={`下移 ${one.title}`} disabled={at === chosen.length - 1} onClick={() => setIds(moved(chosen, at, 1))} />
                      <Button type="text" size="small" icon={<CloseOutlined />} aria-label={`移出 ${one.title}`} onClick={() => setIds(chosen.filter((other) => other !== id))} />
                    </li>
                  )
                })}
              </ul>
            )}
          </section>
          <section aria-label="可加入的课程">
            <Input allowClear value={words} onChange={(event) => setWords(event.target.value)} placeholder="按课程名称查找" aria-label="按课程名称查找" />
            {rest.length === 0 ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有可加入的课程" /> : (
              <ul>
                {rest.map((one) => (
                  <li key={one.id}>
                    <span title={one.title}>{one.title}</span><span className="note">{one.elsewhere ? `在“${one.elsewhere}”` : facts(one)}</span>
                    <Button type="text" size="small" icon={<PlusOutlined />} aria-label={`加入 ${one.title}`} onClick={() => setIds([...chosen, one.id])} />
                  </li>
                ))}
              </ul>
            )}
          </section>
        </div>
      )}
    </Modal>
  )
}

/** The series of a line: the standard list, and the courses of one. @param offerPath of the screen of the courses */
export function presentSeries(series: SeriesResource, offerPath: string): Presentation {
  return present(series)({
    cells: { offer_cnt: ({ row, value }) => <Link to={withQuery(offerPath, `series_id=${row.id}`)}>{Number(value ?? 0).toLocaleString('zh-CN')}</Link> },
    rowActions: [{ key: 'arrange', label: '管理课程', grant: standardId(series.grant, 'edit'), visible: (row) => row.deleted_at === null }],
    dialogs: { arrange: (props: RowDialogProps<SeriesResource>) => <ArrangeDialog {...props} series={series} /> },
  })
}
