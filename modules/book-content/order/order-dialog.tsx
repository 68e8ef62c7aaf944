import { Alert, App, DatePicker, Form, Input, InputNumber, Modal } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { Picker } from '../../../core/field/reference.tsx'
import { startOfDay } from '../../../core/field/time.ts'
import { validated } from '../../../core/form/validated.tsx'
import { staff } from '../../staff/module.ts'
import { giveOrder, type Hole } from './calls.ts'

interface Values { staff_id: number; wanted: number; due_at: Dayjs; note?: string }

/** Days that somebody usually gets for an order. */
const USUAL_DAYS = 7

interface Props {
  title: string
  /** Questions that may be asked for at most. */
  most: number
  /** Where they are missing. */
  hole: Hole
  onDone: () => unknown
  onClose: () => void
}

/** 派写题任务: who writes how many questions until when. */
export function OrderDialog({ title, most, hole, onDone, onClose }: Props) {
  const { message } = App.useApp()
  const [form] = Form.useForm<Values>()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const person = Form.useWatch('staff_id', form)
  const save = async () => {
    const values = await validated(form)
    if (!values) return
    setBusy(true)
    setProblem(undefined)
    try {
      const { due_at, ...rest } = values
      const made = await call(giveOrder, { ...hole, ...rest, due_at: startOfDay(due_at.unix()) }, { quiet: true })
      void message.success(`已派给${made.staff_name ?? '写题人'} ${made.wanted} 道`)
      await onDone()
    } catch (reason) {
      setProblem(reason instanceof Error ? reason.message : '派单失败，请重试')
      setBusy(false)
    }
  }
  const required = (text: string) => [{ required: true, message: text }]
  return (
    <Modal open title={`派写题任务 · ${title}`} okText="派单" confirmLoading={busy} onOk={() => void save()} onCancel={onClose} mask={{ closable: false }}>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      <Form<Values> form={form} layout="vertical" name="writing-order" initialValues={{ wanted: most, due_at: dayjs().add(USUAL_DAYS, 'day') }}>
        <Form.Item name="staff_id" label="写题人" rules={required('请选择写题人')}><Picker target={staff} id="writing-order_staff_id" label="写题人" value={person} onChange={(id) => form.setFieldValue('staff_id', id ?? undefined)} /></Form.Item>
        <Form.Item name="wanted" label="题数" rules={required('请填写题数')}><InputNumber className="wide" min={1} max={most} precision={0} suffix="道" /></Form.Item>
        <Form.Item name="due_at" label="截止日期" rules={required('请选择截止日期')}><DatePicker className="wide" minDate={dayjs()} /></Form.Item>
        <Form.Item name="note" label="要求"><Input.TextArea maxLength={200} rows={2} placeholder="如：以图形题为主，难度中等" /></Form.Item>
      </Form>
    </Modal>
  )
}
