import { getTableConfig } from 'drizzle-orm/pg-core'
import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { findTables } from '../core/module/schema.server.ts'
import { ownReferences } from '../core/resource/behind.ts'
import { openTestApp } from '../core/testing/app.server.ts'
import { openSamples } from '../core/testing/sample.server.ts'

const app = await openTestApp()
const samples = await openSamples(app)
afterAll(() => app.close())

const named = new Set(app.modules.flatMap((module) => [...(module.services ?? []).map(({ resource }) => resource), ...(module.records ?? [])])
  .flatMap((resource) => ownReferences(resource).map(([key]) => `${resource.table}.${key}`)))

/** Columns that hold ids and are no reference of a resource, with why nothing is asked for them when a record is removed. */
const DECIDED: Readonly<Record<string, string>> = {
  'staff.*': 'people are never removed',
  'practice.*': 'questions are removed by the undo of their import alone, while nothing of theirs is used',
  'job.*': 'names jobs, which are swept',
  'own.*': 'a part of the record: it is read through it alone',
  'constant.*': 'a row of a table in the code',
  'choice.*': 'named by kind and id; the name is kept beside it',
  'history.*': 'history: the name was written beside it, or the id is all that is wanted',
  'gone.*': 'where it points is gone nothing is sent, and the log of messages says so',
  uses: 'named by a module’s `uses`',
}

const COLUMNS: Readonly<Record<string, keyof typeof DECIDED>> = {
  'public_link.ref_id': 'its page is not there any more for whoever opens it',
  'pad_token.pad_id': 'own.*', 'app_client_key.client_id': 'own.*', 'seated.seat_id': 'own.*', 'seated.visit_id': 'own.*', 'seated.user_card_id': 'own.*',
  'seated.member_id': 'uses', 'seated.room_id': 'uses', 'practice_label.label_id': 'uses', 'practice_chapter.chapter_id': 'uses', 'selected_item.set_id': 'uses', 'selected_set.ref_id': 'uses',
  'roll_call.meeting_id': 'own.*', 'roll_call.member_id': 'own.*', 'vacation_member.order_item_id': 'own.*',
  'smart_material.ref_id': 'uses', 'smart_material.smart_paper_id': 'own.*',
  'practice_label_tree.label_id': 'own.*', 'label_chapter.label_id': 'history.*', 'label_chapter.chapter_id': 'history.*',
  'practice_import.subject_id': 'constant.*', 'practice_import_item.subject_id': 'constant.*', 'practice_import.file_id': 'own.*', 'practice_import_item.import_id': 'own.*', 'practice_import_item.like_id': 'practice.*', 'verify_batch.subject_id': 'constant.*', 'verify_batch_item.batch_id': 'own.*', 'verify_batch_item.official_id': 'practice.*',
  'practice_compare.left_id': 'practice.*', 'practice_compare.right_id': 'practice.*', 'practice_similar.other_id': 'practice.*', 'practice.origin_id': 'practice.*', 'practice.owner_id': 'staff.*',
  'practice.verifier1_id': 'staff.*', 'practice.verifier2_id': 'staff.*', 'practice.assignee_id': 'staff.*', 'practice.exam_region_id': 'constant.*', 'practice_verify.owner_id': 'staff.*',
  'picture_hash.file_id': 'own.*', 'asset_version.asset_id': 'own.*', 'micro_play.lesson_id': 'own.*', 'micro_play.user_id': 'history.*', 'micro_practice.lesson_id': 'own.*',
  'paper_body.paper_id': 'own.*', 'paper_change.paper_id': 'own.*', 'paper_item.paper_id': 'own.*', 'paper_version.paper_id': 'own.*', 'paper_import.import_id': 'own.*', 'paper_import.paper_id': 'history.*', 'paper.exam_region_id': 'constant.*', 'paper.section_id': 'history.*',
  'message_channel_key.channel_id': 'own.*', 'message_subscription.view_id': 'gone.*', 'message_subscription.channel_id': 'gone.*', 'message_delivery.subscription_id': 'history.*', 'print_version.template_id': 'own.*',
  'paper_card.paper_id': 'own.*', 'card_marking.paper_id': 'own.*', 'card_upload.marking_id': 'own.*', 'card_upload.file_id': 'own.*', 'card_page.marking_id': 'own.*', 'card_page.upload_id': 'own.*', 'card_page.card_id': 'own.*', 'card_page.file_id': 'own.*', 'card_mark.page_id': 'own.*',
  'combination_use.combination_id': 'own.*', 'combination_use.ref_id': 'uses', 'combination_version.combination_id': 'own.*',
  'outline.owner_id': 'own.*', 'outline.origin_id': 'history.*', 'outline_node.outline_id': 'own.*', 'outline_node.parent_id': 'own.*', 'outline_node.label_ids': 'uses', 'outline_node.chapter_id': 'uses',
  'outline_block.outline_id': 'own.*', 'outline_block.node_id': 'own.*', 'outline_block.ref_id': 'uses', 'outline_shown.outline_id': 'own.*', 'outline_shown.ref_id': 'uses',
  'outline_version.outline_id': 'own.*', 'outline_change.outline_id': 'own.*', 'learn_record.user_id': 'history.*', 'learn_record.node_id': 'own.*', 'learn_stat.user_id': 'history.*',
  'learn_stat.node_id': 'own.*', 'learn_stat.outline_id': 'own.*',
  'orders.side_id': 'own.*',
  'order_discount.order_id': 'own.*', 'order_discount.ref_id': 'choice.*', 'order_origin.order_id': 'own.*', 'order_origin.ref_id': 'choice.*', 'ledger.ref_id': 'history.*',
  'order_item.order_id': 'own.*', 'order_item.ref_id': 'choice.*', 'order_log.order_id': 'own.*', 'order_receiver.order_id': 'own.*', 'payment.order_id': 'own.*', 'refund.order_id': 'own.*', 'ledger.order_id': 'history.*',
  'code_secret.code_id': 'own.*', 'user_credential.user_id': 'own.*', 'activation_code_group.order_id': 'history.*', 'import_row.record_id': 'job.*', 'request_once.record_id': 'history.*', 'audit_log.entity_id': 'history.*',
  'passkey.credential_id': 'own.*', 'staff_module.module_id': 'constant.*', 'staff_scope.ref_id': 'history.*', 'file.grant_id': 'constant.*', 'agent.level_id': 'constant.*',
  'card_log.visit_id': 'history.*', 'offer.region_id': 'constant.*', 'offer_item.offer_id': 'own.*', 'offer_item.ref_id': 'uses', 'practice_report.user_id': 'history.*', 'subject.root_label_id': 'constant.*',
  'undo_step.act_id': 'own.*', 'undo_step.record_id': 'history.*', 'discussion.entity_id': 'history.*', 'presence.entity_id': 'history.*', 'record_file.entity_id': 'own.*', 'record_file.file_id': 'own.*',
  'train_material_version.material_id': 'own.*', 'train_material_use.material_id': 'own.*', 'measurement_use.measurement_id': 'own.*', 'writing_order.region_id': 'constant.*',
  'companion_rate.teacher_id': 'own.*', 'companion_assign.student_id': 'own.*', 'companion_assign.teacher_id': 'history.*', 'lesson_entry.student_id': 'own.*', 'lesson_entry.teacher_id': 'history.*',
  'pack_version.pack_id': 'own.*', 'task_student.task_id': 'own.*', 'task_student.student_id': 'own.*', 'task_student.teacher_id': 'history.*', 'task_student.read_id': 'history.*', 'task_student.last_id': 'history.*',
  'task_message.task_id': 'own.*', 'task_message.student_id': 'own.*', 'companion_follow.student_id': 'own.*', 'companion_follow.teacher_id': 'history.*', 'companion_task.template_id': 'history.*',
  'earning.source_id': 'history.*', 'earning.rate_id': 'history.*', 'earning_share.order_id': 'own.*', 'earning_share.agent_id': 'history.*', 'earning_share.plan_id': 'history.*', 'earning_order.order_id': 'own.*', 'withdrawal_card.withdrawal_id': 'own.*',
  'ticket_message.ticket_id': 'own.*', 'partner_contact.partner_id': 'own.*', 'clue_follow.clue_id': 'own.*', 'clue_owner_log.clue_id': 'own.*',
  'teacher_class_code.class_id': 'own.*', 'teacher_class_lead.class_id': 'own.*', 'teacher_class_lead.teacher_id': 'history.*', 'teacher_class_key.class_id': 'own.*', 'teacher_class_key.teacher_id': 'own.*',
  'teacher_class_member.class_id': 'own.*', 'teacher_class_member.user_id': 'history.*', 'teacher_homework.class_id': 'own.*', 'teacher_homework.teacher_id': 'history.*', 'teacher_homework.paper_id': 'uses',
  'teacher_homework_done.homework_id': 'own.*', 'teacher_homework_done.user_id': 'history.*', 'teacher_follow.teacher_id': 'own.*', 'teacher_news.teacher_id': 'own.*', 'teacher_news.paper_id': 'history.*',
  'teacher_question.paper_id': 'own.*', 'teacher_handin.paper_id': 'own.*', 'teacher_handin.teacher_id': 'own.*',
  'alert_event.alert_id': 'own.*',
  'comment.root_id': 'own.*', 'comment.parent_id': 'own.*', 'comment_review.comment_id': 'own.*', 'comment_like.comment_id': 'own.*', 'comment_like.user_id': 'history.*', 'comment_report.comment_id': 'own.*', 'comment_report.user_id': 'history.*', 'comment_refused.user_id': 'history.*', 'user_mute.review_id': 'history.*', 'word_hit.word_id': 'own.*',
  'plan_version.plan_id': 'own.*', 'plan_use.plan_id': 'own.*', 'plan_use.ref_id': 'uses', 'plan_run.grant_id': 'own.*', 'plan_done.account_id': 'own.*',
  'checkout.ref_id': 'choice.*', 'checkout.suite_id': 'own.*', 'checkout.activity_id': 'history.*', 'checkout.coupon_id': 'history.*', 'checkout.share_id': 'history.*', 'checkout_part.order_id': 'own.*', 'checkout_part.checkout_id': 'own.*',
  'flash_hold.order_id': 'own.*', 'flash_hold.sale_id': 'history.*', 'coupon_user.activity_id': 'own.*', 'coupon_user.user_id': 'history.*', 'coupon_user.checkout_id': 'history.*', 'group_buy.activity_id': 'own.*', 'group_member.order_id': 'own.*',
  'group_member.group_id': 'own.*', 'activity_event.activity_id': 'own.*', 'activity_event.user_id': 'history.*', 'activity_event.coupon_id': 'history.*', 'share_event.share_id': 'own.*', 'share_newcomer.user_id': 'history.*', 'share_newcomer.share_id': 'own.*', 'share_newcomer.coupon_id': 'history.*',
  'qr_target.ref_id': 'uses', 'qr_hit_day.qr_id': 'own.*', 'qr_visitor.qr_id': 'own.*', 'book_print.book_id': 'own.*', 'book_print.pdf_id': 'own.*', 'book_pdf.book_id': 'own.*', 'book_pdf_page.pdf_id': 'own.*', 'book_pdf_code.pdf_id': 'own.*', 'hotspot_use.page_id': 'own.*', 'hotspot_use.ref_id': 'uses',
  'matter_stock.matter_id': 'own.*', 'matter_stock.warehouse_id': 'own.*', 'matter_check_line.check_id': 'own.*', 'matter_check_line.matter_id': 'uses',
  'validity_item.change_id': 'own.*', 'validity_item.user_id': 'history.*', 'validity_item.offer_id': 'history.*', 'validity_item.entitlement_id': 'history.*',
  'questionnaire_version.questionnaire_id': 'own.*', 'questionnaire_day.questionnaire_id': 'own.*', 'questionnaire_answer.questionnaire_id': 'own.*', 'questionnaire_answer.user_id': 'history.*',
  'risk_score.monitor_id': 'own.*', 'risk_action.monitor_id': 'own.*', 'device_session.device_id': 'history.*',
  'audit_log.request_id': 'history.*', 'job.request_id': 'history.*', 'security_log.request_id': 'history.*', 'audit_seal.from_id': 'history.*', 'audit_seal.to_id': 'history.*',
}

/** Ids of people, questions and jobs mean the same wherever they stand. */
const EVERYWHERE: readonly string[] = ['staff_id', 'practice_id', 'job_id']

test('every column that holds ids is a reference, a declared use, or decided upon', async () => {
  const columns = Object.values(await findTables()).map(getTableConfig).flatMap((table) => table.columns
    .filter(({ name }) => /_ids?$/.test(name) && !EVERYWHERE.includes(name)).map(({ name }) => `${table.name}.${name}`))
  expect(columns.filter((column) => !named.has(column) && !(column in COLUMNS))).toEqual([])
  expect(Object.keys(COLUMNS).filter((column) => !columns.includes(column)), 'no such column').toEqual([])
})

test('what tables that are no resource say they need refuses a removal', async () => {
  const used = app.modules.flatMap((module) => module.uses ?? [])
  expect(used.length).toBeGreaterThan(5)
  const contentOf = (target: string) => (target.includes('lesson') ? 'micro' : target === 'combination' || target === 'measurement' ? target : target === 'english_unit' ? 'word_list' : target === 'english_page' ? 'page' : 'paper')
  /** A row of each table that names record `id`. */
  const row: Readonly<Record<string, (id: number, target: string) => ReturnType<typeof sql>>> = {
    practice_label: (id) => sql`insert into practice_label (practice_id, label_id, main) values (${id}, ${id}, true)`,
    practice_chapter: (id) => sql`insert into practice_chapter (practice_id, chapter_id) values (${id}, ${id})`,
    selected_item: (id, target) => sql`with x as (insert into selected_set (scope, ref_id, product_line, group_key, version_no) values (${target === 'chapter' ? 'chapter' : 'label'}, ${id}, 'x', 1, 0) returning id)
      insert into selected_item (set_id, practice_id, ord, version_no) select id, 1, 1, 1 from x`,
    smart_material: (id, target) => sql`insert into smart_material (smart_paper_id, kind, ref_id) select max(id), ${target.includes('lesson') ? 'lesson' : 'paper'}, ${id} from smart_paper where deleted_at is null`,
    offer_item: (id) => sql`insert into offer_item (offer_id, kind, ref_id) values (${id + 9000}, 'offer', ${id})`,
    seated: (id) => sql`insert into seated (seat_id, member_id, user_card_id, visit_id, room_id, in_at) values (${id + 9000}, ${id}, ${id + 9000}, ${id + 9000}, ${id}, now())`,
    outline_node: (id) => sql`insert into outline_node (outline_id, key, ord, kind, name, label_ids, chapter_id) values (${id}, 'a', 'a0', 4, '课时', array[${id}::bigint], ${id})`,
    outline_block: (id, target) => sql`insert into outline_block (outline_id, key, node_id, ord, kind, ref_id) values (${id}, 'a', 1, 'a0', ${contentOf(target)}, ${id})`,
    lesson_pack: (id, target) => sql`insert into lesson_pack (kind, name, subject_id, version, state, items) values (${target.startsWith('qb') ? 'qb_train' : 'accompany'}, '资料', 1, 0, 1, jsonb_build_array(jsonb_build_object('paper_id', ${id}::bigint)))`,
    combination_use: (id, target) => sql`with c as (insert into combination (name, subject_id) values ('组合', 1) returning id) insert into combination_use (combination_id, kind, ref_id, live) select id, ${contentOf(target)}, ${id}, false from c`,
    plan_use: (id, target) => sql`with c as (insert into training_plan (name, subject_id, weeks, day_minutes) values ('计划', 1, 1, 60) returning id) insert into plan_use (plan_id, kind, ref_id, live) select id, ${contentOf(target)}, ${id}, false from c`,
    qr_target: (id, target) => sql`insert into qr_target (level, book_id, code, name, place, target_kind, ref_id, state) values (0, 0, 'X', '二维码', 3, ${contentOf(target)}, ${id}, 1)`,
    hotspot_use: (id, target) => sql`with p as (insert into book_page (book_id, page_no, image) values (0, 1, '') returning id) insert into hotspot_use (page_id, kind, ref_id) select id, ${contentOf(target)}, ${id} from p`,
    matter_check_line: (id) => sql`with c as (insert into matter_check (kind, warehouse_id, name) values ('count', 0, '盘点') returning id) insert into matter_check_line (check_id, matter_id, expected, counted, staff_id) select id, ${id}, 1, 1, 1 from c`,
    teacher_homework: (id) => sql`insert into teacher_homework (class_id, teacher_id, title, paper_id, due_at, members, client_key) values (${id}, ${id}, '作业', ${id}, now() + interval '1 day', 1, ${`key ${id}`})`,
    outline_shown: (id, target) => sql`insert into outline_shown (outline_id, kind, ref_id) values (${id}, ${contentOf(target)}, ${id})`,
  }
  const smart = app.kernel.registry.get('smart_paper')?.resource
  if (smart) await samples.insert(smart, 1)
  for (const { target, table, label, measure } of used) {
    // What has been on a shelf is put away, never removed.
    const [record] = await samples.insert(target, 1, target.table === 'offer' ? { state: 1 } : {})
    const id = record?.id ?? 0
    const caller = samples.caller(target)
    const insert = row[table]
    if (!insert) throw new Error(`how does a row of ${table} come about? say it here`)
    await app.db.query(insert(id, target.name))
    expect(await caller.delete(`${target.api.item}/${id}`), `${table} → ${target.name}`).toMatchObject({ status: 409, body: { detail: `该${target.label}还被 1 ${measure}${label}使用，不能删除` } })
    await app.db.script(`delete from seated; delete from practice_label; delete from practice_chapter; delete from selected_item; delete from smart_material; delete from outline_node; delete from outline_block; delete from outline_shown; delete from combination_use; delete from plan_use; delete from offer_item; delete from lesson_pack; delete from qr_target; delete from hotspot_use; delete from book_page; delete from matter_check_line; delete from teacher_homework`)
    expect((await caller.delete(`${target.api.item}/${id}`)).status, target.name).toBe(200)
  }
})
