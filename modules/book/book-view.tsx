import { useQuery } from '@tanstack/react-query'
import { Alert, App, Checkbox, Form, Input, InputNumber, Modal, Skeleton, Table } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { formatTime } from '../../core/field/time.ts'
import { validated } from '../../core/form/validated.tsx'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { present, type RowDialogProps } from '../../core/resource/present.tsx'
import { book, BOOK_STATE } from './book.ts'
import { printBook, readPrints, type PrintCheck } from './calls.ts'
import { codesPath } from './ebook.ts'
import { printsText } from './errata/calls.ts'
import { ErrataTable, useErrata } from './errata/errata-sheet.tsx'
import { ERRATUM_STATE } from './errata/erratum.ts'
import { pagesPath } from './paths.ts'
import './book.css'

type Row = WireRow<typeof book>

const usePrints = ({ id, rev }: Pick<Row, 'id' | 'rev'>) => useQuery({ queryKey: ['book-prints', id, rev], queryFn: ({ signal }) => call(readPrints, undefined, { params: { id }, signal, quiet: true }), staleTime: 0 })

/** What is right and what is wrong with a book before it is printed. */
function Checks({ checks }: { checks: readonly PrintCheck[] }) {
  return <ul className="book-checks">{checks.map(({ label, ok, must, detail }) => <li key={label} data-tone={ok ? 'ok' : must ? 'bad' : 'wait'}><b>{label}</b> {detail ?? '正常'}</li>)}</ul>
}

/** 付印: the check before, how many copies, and what it means. */
function PrintDialog({ row, reload, onClose }: RowDialogProps<typeof book>) {
  const { message } = App.useApp()
  const [form] = Form.useForm<{ copies: number; note?: string; fixed?: number[] }>()
  const { data, error } = usePrints(row)
  const { data: errata } = useErrata(row.id, row.rev)
  const open = errata?.lines.filter(({ state, print_to }) => (state === ERRATUM_STATE.confirmed || state === ERRATUM_STATE.shown) && (print_to === null || print_to >= (row.print_no ?? 0))) ?? []
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const wrong = data?.checks.some(({ ok, must }) => must && !ok) ?? true
  const no = (row.print_no ?? 0) + 1
  const save = async () => {
    const values = await validated(form)
    if (!values) return
    setBusy(true)
    setProblem(undefined)
    try {
      await call(printBook, { ...values, rev: row.rev }, { params: { id: row.id }, quiet: true })
      void message.success(`第 ${no} 次印刷已登记，二维码已锁定`)
      reload()
      onClose()
    } catch (failure) {
      setProblem(failure instanceof Error ? failure.message : '付印失败')
      setBusy(false)
    }
  }
  return (
    <Modal open title={`付印 · ${row.name} · 第 ${no} 次`} okText="确认付印" okButtonProps={{ disabled: wrong }} confirmLoading={busy} onOk={() => void save()} onCancel={onClose} mask={{ closable: false }}>
      {(problem ?? error) && <Alert className="form-alert" type="error" showIcon title={problem ?? error?.message} role="alert" />}
      {!data && !error && <Skeleton active />}
      {data && <Checks checks={data.checks} />}
      {data && data.base === null && <Alert className="form-alert" type="warning" showIcon title="还没有设置对外网址（PUBLIC_URL），印出的二维码无法扫开" />}
      <Form form={form} layout="vertical" name="print-book">
        <Form.Item name="copies" label="印数" rules={[{ required: true, message: '请填写印数' }]}><InputNumber className="wide" min={1} max={10_000_000} precision={0} suffix="册" /></Form.Item>
        <Form.Item name="note" label="备注"><Input maxLength={100} placeholder="印厂、批次" /></Form.Item>
        {open.length > 0 && <Form.Item name="fixed" label="本次已改正的勘误"><Checkbox.Group className="book-fixed" options={open.map(({ id, page_no, print_from, print_to, wrong }) => ({ value: id, label: `第 ${page_no} 页 · ${wrong.slice(0, 40)}（${printsText(print_from, print_to)}）` }))} /></Form.Item>}
      </Form>
      <p className="note">付印后，书上的二维码不能再删除和更换编码，只能改指向；印刷网址也不再改变{data?.base ? `：${data.base}` : ''}。</p>
    </Modal>
  )
}

/** The prints of a book, the last first. */
function Prints({ row }: { row: Row }) {
  const { data, error } = usePrints(row)
  if (error) return <Alert type="error" showIcon title={error.message} />
  if (!data) return <Skeleton active />
  return (
    <>
      <Checks checks={data.checks} />
      <Table size="small" pagination={false} rowKey={({ no }) => no} dataSource={data.prints} locale={{ emptyText: '还没有印过' }} columns={[
        { title: '印次', render: (_value, { no }) => `第 ${no} 次` }, { title: '印数', align: 'right', render: (_value, { copies }) => copies.toLocaleString('zh-CN') }, { title: '新锁定二维码', align: 'right', render: (_value, { fresh }) => fresh },
        { title: '时间', render: (_value, { at }) => formatTime(at).slice(0, 16) }, { title: '经手人', render: (_value, { staff_name }) => staff_name ?? '系统' }, { title: '备注', render: (_value, { note }) => note },
      ]} />
    </>
  )
}

/** Books: their codes and pages are one step away, and so is the printer's. */
export default present(book)({
  cells: {
    code_cnt: ({ value, row }) => <Link className="figure" to={codesPath(row.level, row.id)}>{Number(value ?? 0)}</Link>,
    page_cnt: ({ value, row }) => <Link className="figure" to={pagesPath(row.id)}>{Number(value ?? 0)}</Link>,
  },
  rowActions: [
    { key: 'print', label: '付印', grant: book.rights.id('print'), visible: (row) => row.deleted_at === null && row.state === BOOK_STATE.live },
  ],
  dialogs: { print: PrintDialog },
  slots: { details: [{ key: 'prints', label: '印次', Content: Prints }, { key: 'errata', label: '勘误表', Content: ErrataTable }], head: ({ row }) => <p><Link to={codesPath(row.level, row.id)}>二维码 {Number(row.code_cnt ?? 0)} 个</Link> · <Link to={pagesPath(row.id)}>电子书 {Number(row.page_cnt ?? 0)} 页</Link></p> },
})
