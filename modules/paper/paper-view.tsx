import { App, Form, Input, Modal } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { extendPresentation, present, type Presentation, type RowDialogProps } from '../../core/resource/present.tsx'
import { copyPaper } from './calls.ts'
import { placesOf } from './kind.ts'
import { resourceOf, screenOfPaper, type PaperResource } from './paper.ts'

/** Address of a paper's editor. */
const editorOf = (row: WireRow<PaperResource>) => placesOf(screenOfPaper(row), row.id).detail

/** Asks for the name of a copy. */
function CopyDialog({ row, reload, onClose }: RowDialogProps<PaperResource>) {
  const { message } = App.useApp()
  const [form] = Form.useForm<{ name: string }>()
  const [busy, setBusy] = useState(false)
  const copy = async ({ name }: { name: string }) => {
    setBusy(true)
    try {
      await call(copyPaper, { name }, { params: { id: row.id }, quiet: true })
      void message.success('复制成功')
      reload()
      onClose()
    } catch (error) {
      form.setFields([{ name: 'name', errors: [error instanceof Error ? error.message : '复制失败'] }])
      setBusy(false)
    }
  }
  return (
    <Modal open title="复制试卷" okText="复制" confirmLoading={busy} onOk={() => form.submit()} onCancel={onClose}>
      <Form form={form} name="paper-copy" layout="vertical" initialValues={{ name: `${row.name}（副本）`.slice(0, 100) }} onFinish={(values) => void copy(values)}>
        <Form.Item name="name" label="新试卷名称" rules={[{ required: true, whitespace: true, message: '请填写试卷名称' }, { max: 100, message: '试卷名称最多 100 个字' }]}><Input /></Form.Item>
      </Form>
    </Modal>
  )
}

/** Lists of papers, whichever they are: the name leads to the editor. @param own what the papers of a kind have beside */
export const presentPapers = (papers: PaperResource, own?: Presentation): Presentation => extendPresentation(present(papers)({
  cells: {
    name: ({ value, row }) => <Link to={editorOf(row)}>{value}</Link>,
    question_count: ({ value, row }) => <Link to={editorOf(row)}>{value ?? 0}</Link>,
  },
  rowActions: [{ key: 'copy', label: '复制', visible: (row) => row.can.includes('edit') }],
  dialogs: { copy: CopyDialog },
}), own)

export default presentPapers(resourceOf({ kind: 'base', level: 0 }))
