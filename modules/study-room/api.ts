/** Base of every self-study-room call (spec 7). */
export const BASE = '/daoyuan/api/end/self_study_room'
