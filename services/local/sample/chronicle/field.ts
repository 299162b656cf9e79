/** Football and brass. */
export const field = `
[Sat 08-05 7y 16:55] KittiwickFC: First match of the season, first match on here. FT: Rovers 1, Whimbrel Head 4. It can only go up, unless the ball does.

[Sat 05-11 5y 16:58] KittiwickFC @field ×19 &point: FULL TIME: Rovers 2, Dunlin Bay 2. We stay up. By one goal. In the 94th minute. Off a gull. 🐦 {photo off-a-gull 1600x900}
  [+6m] HarbourBand: WE ARE PLAYING THE TUNE
  [+11m] MissQuill: The gull is to be congratulated on its positioning.
  [+40m] tamsin-bakes: Free rolls for the team tomorrow. And for the gull, if it comes in person.
    [+15h] tamsin-bakes: It came in person.

[Sat 08-10 4y 12:00] HarbourBand: Regatta set: three marches, two waltzes, one thing that was a tango until it met our trombones.

[Sat 11-16 4y 15:40] KittiwickFC: Match abandoned at half-time, pitch under water. A heron has been seen in the centre circle, and played well. #rovers

[12-18 3y 18:30] HarbourBand @square: Carols under the Town Clock at ten past four, naturally. Then again at seven for those who have a watch. 🎄
  [+19m] biscuit.the.cat: I could hear you from Biography.
  [+33m] harbour.bakery: Mince pies are on the step. Count the band before you start and after.

[Sat 04-27 2y 17:04] KittiwickFC: FT: Knotsea 0, Rovers 3. We have checked, and it is that way round.
  [+9m] dougal_nets: I was there. I've no voice and I don't want it back.
    [+5m] HarbourBand: We noticed. Very peaceful. Come again. 😇

[Sat 06-29 2y 21:10] HarbourBand ×10: Played a wedding on the ferry. In the second waltz the whole dance floor moved to port. Nobody spilled a note. {photo band-on-deck 2048x1365}
  [+16m] MVSanderling: We moved to port because the harbour is there. You were splendid.

[Thu 10-05 1y 20:35] HarbourBand: Our triangle player has had a cold and missed three weeks. We had not known how much we lean on him. Welcome back, Tom. 🔺

[Sat 48w 16:52] KittiwickFC: FT: Rovers 1, Saltcote Rangers 1. Their goal was better. Ours was earlier.
[Thu 44w 21:05] HarbourBand: A visitor asked if we take requests. We do. He requested that we wait until he had left. We are choosing to find it funny.
[Sat 40w 16:56] KittiwickFC: FT: Eider Holm 2, Rovers 2. The Holm's whole population was at the match, eleven of them on the pitch and two of them related to the referee.
[Sat 35w 14:02] KittiwickFC @field: Today's team sheet was eaten by a goat. From memory: eleven of us, in orange.
  [+106m] KittiwickFC: HT 0-0. The goat is warming up.
    [+64m] KittiwickFC: FT 1-0! Callum, 88 minutes, with the boot that he did remember. 🧡
      [+8m] KittiwickSchool: The goat would like it known that she is available next week.
[Thu 29w 20:50] HarbourBand: Tuba stuck in the sail loft door. Rehearsal was held in two halves, indoors and out. It was our best stereo yet.
  [+12m] InesMarulho: I am coming with a plane. For the door! For the door.
[Sat 25w 16:49] KittiwickFC: FT: Rovers 0, Whimbrel Head 1. A quiet one. Thanks to the 212 who came and the one who brought soup for everybody.
[Wed 18w 19:40] KittiwickFC: Raffle drawn. First prize, a ham: Mr Pell. Second prize, a smaller ham: Mrs Pell. There will be an inquiry, and sandwiches. {rovers.kittiwick.example/raffle}
[Sat 16w 16:51] KittiwickFC: FT: Dunlin Bay 1, Rovers 2. Three points, one black eye (door), and a very cheerful bus.
[Thu 11w 20:15] HarbourBand: Wanted: one euphonium player. No experience necessary, we will all be learning. Thursdays, bring biscuits. {band.kittiwick.example/join}
  [+25m] biscuit.the.cat: I would rather not be brought.
[Sat 9w 16:57] KittiwickFC: FT: Rovers 3, Knotsea 3. Six goals, four of them ours if you count generously.
[Sat 6w 17:01] KittiwickFC @field: FT: Rovers 2, Saltcote Rangers 0. Both from corners, both on purpose. 🧡🖤
  [+10m] lighthouse: We saw the second one from the gallery. It went in on the seaward side.
[Thu 3w 21:00] HarbourBand: The euphonium has been found, and with it Gwen, who can play it. Welcome, Gwen. You were right about the B flats.
[Sat 2w 16:54] KittiwickFC: FT: Rovers 1, Eider Holm 0. The ferry waited for the away side, who had to be told twice that it was over. #rovers
  [+14m] MVSanderling: Loud going over, quiet coming back. We gave them tea.
[Sat 1w 10:20] HarbourBand @pier: Band on the pier at noon. If you can't hear us, you are in Dunlin Bay, and we are sorry about the wind.
[Sun 1w 11:15] dougal_nets: RT &point
`;
