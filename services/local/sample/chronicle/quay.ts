/** Those who work on the water's edge: the fisherman and the harbour office. */
export const quay = `
[07-09 7y 20:40] dougal_nets: My niece has put me on this. I have told it about the mackerel. What else does it want to know?
  [+14m] HarbourOffice: When you'll be moving your creels off our steps, for one.
    [+1h] dougal_nets: I preferred it before you could answer.

[10-02 6y 05:55] dougal_nets @bank: Sunrise over the Bank like somebody opened an oven. Nets empty. I'd still not swap. {photo sunrise-bank 2048x1152}

[03-15 5y 16:25] HarbourOffice: NOTICE. The dredger is here until the 28th. Keep to the green side. It is loud, it knows that it is loud, and it waves.

[Tue 06-16 5y 13:10] HarbourOffice @slip &seal ×52: There is a seal on the slipway. She has been asked to move and has considered it. Launching is suspended. {photo seal-on-slip 1600x1200}
  [+9m] InesMarulho: I have a boat half in the water and a man half in the boat!
    [+4m] HarbourOffice: The seal says take your time.
  [+40m] meera.teaches: May Room 4 come and draw her? We are quiet. We are quite quiet.
    [+11m] HarbourOffice: Twenty paces back and no biscuits. She has a weakness.
      [+2h] meera.teaches: Twenty-two drawings, one seal, no biscuits. (One biscuit.) Thank you! 🦭

[09-30 4y 06:30] dougal_nets: Second Helping goes on the slip today. She is forty. I'd say she doesn't look it, but she does, and so do I.
  [+35m] InesMarulho @slip: Good oak in her. The rest is paint and stubbornness.
    [+4m] dougal_nets: That's both of us surveyed, then.

[12-30 4y 23:15] nour_writes: آخر نداءٍ في السنة: «كلّ شيء هادئ هنا، وأنتم؟»⏎قلتُ: هادئ، والضوء يدور.
  [+16m] lighthouse: رأيناكِ من هنا. We leave it on for you.

[04-18 3y 07:35] HarbourOffice: Berth 14 is free. The view is good, the neighbour snores, the rate is on the board. {harbour.kittiwick.example/berths}
  [+25m] dougal_nets: I'm berth 13. I do not snore. That is the bilge pump.

[Sat 08-10 3y 19:45] HarbourOffice ×14: Regatta, results: 1. Miss Behaviour. 2. Second Helping (towed). 3. The bathtub. The protest about the bathtub has been heard and dismissed.
  [+8m] dougal_nets: I was not towed. I was accompanied.
  [+31m] KittiwickFC: The bathtub was crewed by our back four. They sank more slowly than they defend.

[11-28 3y 04:50] dougal_nets @bank: Dark, cold, a whole sky of stars and one of me. Don't tell anybody, but this is the good part.
  [+2h] nour_writes: سمعتُكَ على القناة تُغنّي. لن أُخبر أحدًا.
    [+38m] dougal_nets: I put that through the machine. You'd better not. 😳

[02-02 2y 10:25] HarbourOffice: The tide gauge and @oleksa_dev disagree by four centimetres. We are going down with a ruler to find out who is right.
  [+1h] oleksa_dev: Я за лінійку. Нехай переможе вода.
    [+2h] HarbourOffice: The ruler says that you are both wrong and that the third step needs scrubbing.

[05-19 2y 12:50] dougal_nets &crab: Hauled a crab so cross it nipped its own reflection in the bucket. Put it back. Anybody that angry has plans. 🦀
  [+29m] TavernaEleni: Ντούγκαλ! Το καβούρι ήταν για μένα!
    [+10m] dougal_nets: You didn't see its face.

[09-09 1y 15:05] HarbourOffice: To the crew that moored a 14-metre yacht with one shoelace: it held, we are impressed, please never do it again.

[Tue 47w 06:20] dougal_nets: Bought a pair of gloves guaranteed waterproof. They are. The water that got in can't get out.
[Thu 40w 09:15] HarbourOffice: Somebody has been leaving a fresh haddock on our doorstep each Thursday. We do not wish to discourage this. We would like to say thank you in person.
  [+2h] biscuit.the.cat: I was told that doorstep was the drop.
[Mon 34w 17:10] dougal_nets: Niece says I should post more pictures. This is a rope. {photo a-rope 1024x768}
  [+15m] MissQuill: It has a pleasing lack of ambition, Dougal. Do continue.
  [+24m] InesMarulho: Is that my rope?
    [+50m] dougal_nets: It was a picture of a rope in general.
[Sun 28w 08:30] dougal_nets: RT &lambs
[Wed 20w 11:30] HarbourOffice @pier: The old pier has a new bench. The plaque reads: "For those who only came to look." Sit as long as you like. {photo bench-on-pier 1500x1000}
  [+42m] nour_writes: هناك سأكتب القصيدة القادمة، إن تركتم لي نصف المقعد.
    [+13m] HarbourOffice: The left half is yours from six to eight. We will tell the gulls.
[Fri 15w 05:35] dougal_nets @bank: Two dolphins, one whale's back and a plastic chair. Brought home the chair.
[Mon 21w 14:00] HarbourOffice: NOTICE. Crane test on Wednesday, 10:00 to 12:00. It will lift a concrete block, put it down again, and be given a new certificate. We wish that all examinations were like that.
  [+21m] KittiwickSchool: So does Year 6.
[Thu 6w 18:20] dougal_nets: A tourist asked if the catch was local. I said the fish wouldn't tell me.
[Sat 3w 07:05] HarbourOffice: Whoever is teaching the gulls to open the bin: they have graduated. Please stop.
  [+1h] dougal_nets: That's not me. I taught them the door.
[Tue 1w 16:15] dougal_nets @quay: Mackerel off the boat till they're gone. Bring your own bag and your own joke, no fish without a joke.
  [+12m] harbour.bakery: What do you call a fisherman who bakes? Out of his depth.
    [+5m] dougal_nets: One mackerel.
  [+18m] MissQuill: I have been told that puns do not count, but I shall have to think a-boat it.
    [+4m] dougal_nets: Two mackerel, and I'm telling the school.
`;
