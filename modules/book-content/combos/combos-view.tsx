import { PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Form, Input, InputNumber, Modal, Skeleton } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { Picker } from '../../../core/field/reference.tsx'
import { validated } from '../../../core/form/validated.tsx'
import { standardId } from '../../../core/grant/grant.ts'
import { extendPresentation } from '../../../core/resource/present.tsx'
import { useCan } from '../../../core/session/staff-context.tsx'
import { book } from '../../book/module.ts'
import { combination } from '../../combination/module.ts'
import { presentCodes } from '../../qr/door.tsx'
import { bookCombination, placeCombo, readCombo } from './combos.ts'
import '../book-content.css'

interface Values { book_id: number; combination_id: number; name: string; section?: string; page_no: number }

/** Gives a combination a place in a book. */
function PlaceDialog({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const { message } = App.useApp()
  const [form] = Form.useForm<Values>()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [bookId, combinationId] = [Form.useWatch('book_id', form), Form.useWatch('combination_id', form)]
  const save = async () => {
    const values = await validated(form)
    if (!values) return
    setBusy(true)
    setProblem(undefined)
    try {
      const { code } = await call(placeCombo, values, { quiet: true })
      void message.success(`已放进图书，编码 ${code}`)
      onDone()
    } catch (reason) {
      setProblem(reason instanceof Error ? reason.message : '未能放进图书，请重试')
      setBusy(false)
    }
  }
  const required = (text: string) => [{ required: true, message: text }]
  return (
    <Modal open title="组合放进图书" okText="生成二维码" confirmLoading={busy} onOk={() => void save()} onCancel={onClose} mask={{ closable: false }}>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      <Form<Values> form={form} layout="vertical" name="place-combo">
        <Form.Item name="book_id" label="图书" rules={required('请选择图书')}><Picker target={book} id="place-combo_book_id" label="图书" value={bookId} onChange={(id) => form.setFieldValue('book_id', id ?? undefined)} /></Form.Item>
        <Form.Item name="combination_id" label="组合" rules={required('请选择组合')} extra={<>没有合适的，先到<Link to="/material/combination">素材组合</Link>编排并发布</>}><Picker target={combination} id="place-combo_combination_id" label="组合" value={combinationId} onChange={(id) => form.setFieldValue('combination_id', id ?? undefined)} /></Form.Item>
        <Form.Item name="name" label="书上的名称" rules={[{ required: true, whitespace: true, message: '请填写名称' }]}><Input maxLength={60} placeholder="如：第 3 节 学习单" /></Form.Item>
        <Form.Item name="section" label="章节"><Input maxLength={60} /></Form.Item>
        <Form.Item name="page_no" label="页码" rules={required('请填写页码')}><InputNumber className="wide" min={1} max={999} precision={0} prefix="第" suffix="页" /></Form.Item>
      </Form>
    </Modal>
  )
}

function Place({ reload }: { reload: () => void }) {
  const can = useCan()
  const [open, setOpen] = useState(false)
  if (!can(standardId(bookCombination.grant, 'edit'))) return null
  return (
    <>
      <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen(true)}>放进图书</Button>
      {open && <PlaceDialog onClose={() => setOpen(false)} onDone={() => { setOpen(false); reload() }} />}
    </>
  )
}

/** What those see who scan: the published version, page by page, and how it is with each piece. */
function Content({ row }: { row: { id: number } }) {
  const { data, error, refetch } = useQuery({ queryKey: ['book-combo', row.id], queryFn: ({ signal }) => call(readCombo, undefined, { params: { id: row.id }, signal, quiet: true }) })
  if (error) return <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
  if (!data) return <Skeleton active />
  const bad = data.items.filter(({ health }) => health.tone !== 'ok').length
  return (
    <>
      <p>{data.path ? <Link to={data.path}>{data.name}</Link> : data.name} <span className="note">{data.version_no ? `第 ${data.version_no} 版` : '还没有发布'} · {data.items.length} 项</span></p>
      {bad > 0 && <Alert className="form-alert" type="warning" showIcon title={`${bad} 项内容需要处理，扫码的人看不到它们`} />}
      <ul className="bc-list">{data.items.map(({ kind, title, page, health }, at) => <li key={`${at} ${title}`}><small>第 {page} 页 · {kind}</small> {title} {health.tone !== 'ok' && <em>{health.words}</em>}</li>)}</ul>
    </>
  )
}

const codes = presentCodes(bookCombination)

/** 组合: the combinations that stand in books, with their codes, health and scans. */
export default extendPresentation(codes, {
  slots: { main: Place, details: [{ key: 'content', label: '组合内容', Content }] },
})
