import { defineEndpoint } from '../../core/endpoint/define.ts'

/** A room as pickers need it. */
export interface RoomInfo {
  id: number
  name: string
  school_id: number
  school_name: string
  /** Key of the study room type map: common, gaosi, lesson_class. */
  type: string
  self_run: number
  status: number
}

/** spec 7: every study room, for pickers; within what the person may see. The spec does not show what it answers. */
export const allRooms = defineEndpoint<{ items: RoomInfo[]; total: number }>()({
  method: 'GET', path: '/daoyuan/api/end/all_self_study_room', summary: '全部自习室', grant: 'staff',
})
